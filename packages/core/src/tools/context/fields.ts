import type { Schema, Zod } from '@mcpmux/kit/zod';

/** An argument of an own tool. `check` receives zod as a parameter, because listing tools does not load it. */
export interface Field<Value> {
  readonly json: object;
  readonly isOptional?: boolean;
  readonly check: (z: Zod) => Schema<Value>;
}

/** A tool's arguments by name, in the order of its `inputSchema`. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

type CheckedValue<Of> = Of extends Field<infer Type> ? Type : never;
type OptionalNames<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Of];

/** A call's validated arguments. */
export type Values<Of extends Fields> = {
  readonly [Name in Exclude<keyof Of, OptionalNames<Of>>]: CheckedValue<Of[Name]>;
} & { readonly [Name in OptionalNames<Of>]?: CheckedValue<Of[Name]> };

/** Makes a field optional, so that calls may omit it. */
export function optional<Of extends Field<unknown>>(field: Of): Of & { readonly isOptional: true } {
  return { ...field, isOptional: true };
}

/** Returns a field for a nonempty string. */
export function text(description: string, maxLength?: number): Field<string> {
  return {
    json: { type: 'string', minLength: 1, maxLength, description },
    check: (z) =>
      z.string().check(z.minLength(1), ...(maxLength === undefined ? [] : [z.maxLength(maxLength)])),
  };
}

/** Returns a field for a list of strings. */
export function textList(description: string): Field<string[]> {
  const json = { type: 'array', items: { type: 'string' }, description };
  return { json, check: (z) => z.array(z.string()) };
}

/** Returns a field for an object whose values are strings. */
export function textRecord(description: string): Field<Record<string, string>> {
  const json = { type: 'object', additionalProperties: { type: 'string' }, description };
  return { json, check: (z) => z.record(z.string(), z.string()) };
}

/** Returns a field for one fixed string or an object of settings. The tool itself checks the settings. */
export function settingsOrLiteral<const Word extends string>(
  literal: Word,
  description: string,
): Field<Record<string, unknown> | Word> {
  const json = { anyOf: [{ type: 'object' }, { type: 'string', const: literal }], description };
  return { json, check: (z) => z.union([z.record(z.string(), z.unknown()), z.literal(literal)]) };
}

/** Returns a field for one of a fixed set of strings. */
export function choice<const Word extends string>(words: readonly Word[], description: string): Field<Word> {
  return { json: { type: 'string', enum: words, description }, check: (z) => z.enum(words) };
}

/** Returns a field for an integer from 1 to a maximum. */
export function integerUpTo(maximum: number, description: string): Field<number> {
  const json = { type: 'integer', minimum: 1, maximum, description };
  return { json, check: (z) => z.int().check(z.minimum(1), z.maximum(maximum)) };
}

/** Returns a field for a boolean. */
export function flag(description: string): Field<boolean> {
  return { json: { type: 'boolean', description }, check: (z) => z.boolean() };
}
