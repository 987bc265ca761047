import type { Schema, Zod } from '@mcpmux/kit/zod';
import { text, type Fields, type Values } from './fields.js';
import type { ToolContext } from './tool-context.js';

/** An own tool's definition in `tools/list`, without the input schema. */
interface ToolMetadata {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly outputSchema?: object;
  readonly annotations: object;
}

/** Properties of an own tool that its definition does not contain. */
interface ToolTraits {
  /** True if a call can change the caller's lists. */
  readonly changesLists?: boolean;
}

/** One of mcpmux's own tools. */
export interface Tool extends ToolTraits {
  /** The tool's definition in `tools/list`. */
  readonly definition: ToolMetadata & { readonly inputSchema: object };
  readonly input: (z: Zod) => Schema;
  /**
   * Returns the result's structured content as JSON text.
   *
   * @throws InvalidArguments, MuxError, NamespaceError for an error that a model can act on
   */
  run(input: unknown, context: ToolContext): string | Promise<string>;
}

/** Thrown for arguments that the tool does not accept. The message is written for a model. */
export class InvalidArguments extends Error {}

/** Creates an error that states the problem with a tool's arguments, and the next step. */
export function invalidArgumentsError(name: string, problem: string): InvalidArguments {
  const advice = `Nothing was done. Correct the arguments and call ${name} again.`;
  return new InvalidArguments(`Invalid arguments for ${name}: ${problem}. ${advice}`);
}

/** Creates a tool. Its fields determine the input schema and how the arguments are validated. */
export function tool<const Of extends Fields>(
  { name, title, description, changesLists = false, ...rest }: ToolMetadata & ToolTraits,
  fields: Of,
  run: (input: Values<Of>, context: ToolContext) => string | Promise<string>,
): Tool {
  return {
    definition: { name, title, description, inputSchema: inputSchemaOf(fields), ...rest },
    input: (z) => {
      const checks = Object.entries(fields).map(
        ([field, { check, isOptional }]) => [field, isOptional ? z.optional(check(z)) : check(z)] as const,
      );
      return z.strictObject(Object.fromEntries(checks));
    },
    changesLists,
    run,
  };
}

/** Returns the arguments' JSON Schema. */
export function inputSchemaOf(fields: Fields): object {
  const entries = Object.entries(fields);
  const properties = Object.fromEntries(entries.map(([name, { json }]) => [name, json]));
  const required = entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Returns a JSON Schema for an object. */
export function objectSchema<Properties extends object>(properties: Properties, required: readonly string[]) {
  return { type: 'object', properties, required };
}

/** Returns a JSON Schema for a list. */
export function listSchema(items: object): object {
  return { type: 'array', items };
}

/** JSON Schema for a string. */
export const TEXT_SCHEMA = { type: 'string' };

/** The name of a server, as an argument. */
export const SERVER_NAME_FIELD = text('Name of the server');
