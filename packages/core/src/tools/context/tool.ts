import type { Schema, Zod } from '../../base/zod.js';
import type { ToolContext } from './tool-context.js';

/** The definition of an own tool, as `tools/list` shows it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: object;
}

/** One of mcpmux's own tools. */
export interface Tool<Input = unknown> {
  readonly definition: ToolDefinition;
  /**
   * The checks of `inputSchema` again, for zod. Listing tools must not load zod, so each schema is written twice; a
   * test keeps both equal.
   */
  readonly input: (z: Zod) => Schema<Input>;
  /**
   * Returns the structured content of the result as JSON text.
   *
   * @throws InvalidArguments for a protocol error; MuxError, NamespaceError for a refusal that a model can act on
   */
  run(input: Input, context: ToolContext): string | Promise<string>;
}

/** Arguments that the tool does not take. */
export class InvalidArguments extends Error {}

/** Infers the type of the input. */
export function tool<Input>(parts: Tool<Input>): Tool<Input> {
  return parts;
}

/** JSON Schema of the name of a server. */
export const SERVER_NAME = { type: 'string', minLength: 1, description: 'Name of the server' };

/** JSON Schema of no arguments. */
export const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

/** A text that is not empty. */
export function filled(z: Zod) {
  return z.string().check(z.minLength(1));
}

/** A whole number from 1. */
export function wholeUpTo(largest: number, z: Zod) {
  return z.int().check(z.minimum(1), z.maximum(largest));
}
