import type { Schema, Zod } from '@mcpmux/kit/zod';
import { text, type Fields, type Values } from './fields.js';
import type { ToolContext } from './tool-context.js';

/** The definition of an own tool in `tools/list`, without its input schema. */
interface ToolMetadata {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly outputSchema?: object;
  readonly annotations: object;
}

/** The properties of an own tool that its definition does not contain. */
interface ToolTraits {
  /** True if a call can change the caller's lists. */
  readonly changesLists?: boolean;
}

/** One of mcpmux's own tools. */
export interface Tool extends ToolTraits {
  /** The definition in `tools/list`. */
  readonly definition: ToolMetadata & { readonly inputSchema: object };
  readonly input: (z: Zod) => Schema;
  /**
   * Returns the structured content of the result as JSON text.
   *
   * @throws InvalidArguments, MuxError, NamespaceError for a refusal that a model can act on
   */
  run(input: unknown, context: ToolContext): string | Promise<string>;
}

/** Thrown for arguments that the tool does not accept. The message is for the model. */
export class InvalidArguments extends Error {}

/** Returns an error that states the problem with a tool's arguments, and the next step. */
export function invalidArgumentsError(name: string, problem: string): InvalidArguments {
  const advice = `Nothing was done. Correct the arguments and call ${name} again.`;
  return new InvalidArguments(`Invalid arguments for ${name}: ${problem}. ${advice}`);
}

/** Creates a tool. Its fields define the input schema and the checks of the arguments. */
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

/** Returns the JSON Schema of the arguments. */
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

/** Returns the JSON Schema of an object. */
export function objectSchema<Properties extends object>(properties: Properties, required: readonly string[]) {
  return { type: 'object', properties, required };
}

/** Returns the JSON Schema of a list. */
export function listSchema(items: object): object {
  return { type: 'array', items };
}

/** JSON Schema of a string. */
export const TEXT_SCHEMA = { type: 'string' };

/** The name of a server, as an argument. */
export const SERVER_NAME_FIELD = text('Name of the server');
