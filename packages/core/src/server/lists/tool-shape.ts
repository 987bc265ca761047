import { type Edit, JsonReader, type Span, splice, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';

import { removalEdits } from '../link/members.js';
import { readDefinition, type CallArgument, type CallShape, type Definition } from './definition.js';
import { LISTS } from './list-kind.js';

/** A fixed value that clients cannot change, a default for an absent argument, or an argument that is never sent. */
export type ArgumentShape =
  | { readonly value: unknown }
  | { readonly default: unknown }
  | { readonly hidden: true };

/** The changes to a tool's arguments and results. */
export interface ToolShape {
  /**
   * The changes by argument name. The server never receives a client's value for a fixed or hidden argument, even if
   * the schema lacks the argument. A default applies only if the schema has the argument.
   */
  readonly arguments?: Readonly<Record<string, ArgumentShape>>;
  /**
   * True if the shape applies to several tools. A fixed value then applies only to tools whose schema has the argument.
   */
  readonly isPattern?: boolean;
  /**
   * If a result's `content` and `structuredContent` mean the same, clients receive only this member. With `content`,
   * the tool has no `outputSchema`, because a schema would make clients expect structured content.
   */
  readonly result?: 'content' | 'structuredContent';
}

const SCHEMA_PATHS = valuePaths([
  ['inputSchema', 'properties'],
  ['inputSchema', 'required'],
  ['outputSchema'],
]);
const ARGUMENTS_PATH = valuePaths([['params', 'arguments']]);
const OPEN_BRACE = 0x7b;
const LOWER_N = 0x6e;
const COLON = Buffer.from(':');
const COMMA = Buffer.from(',');

/**
 * Returns the tool as clients see it: with defaults in its input schema, without fixed and hidden arguments, and
 * without an output schema if the result is `content`. All other bytes stay unchanged.
 */
export function shapedTool(tool: Definition, wanted: ToolShape): Definition {
  const found = schemaSpans(tool.bytes);
  const known = argumentNamesOf(tool.bytes, found);
  const applied = Object.entries(wanted.arguments ?? {}).flatMap(([name, one]) => {
    const argument = argumentChange(one, known.has(name), wanted.isPattern === true);
    return argument === undefined ? [] : [[name, argument] as const];
  });
  const { result } = wanted;
  if (applied.length === 0 && result === undefined) return tool;
  const shape = { arguments: new Map(applied), result };
  const bytes = splice(tool.bytes, schemaEdits(tool.bytes, found, shape)).subarray(0, -1);
  const { forOthers } = tool;
  return {
    ...(readDefinition(bytes, LISTS.tools) ?? tool),
    shape,
    ...(forOthers !== undefined && { forOthers: shapedTool(forOthers, wanted) }),
  };
}

/** Returns the names of the arguments in a tool's schema. */
export function schemaNames({ bytes }: Pick<Definition, 'bytes'>): ReadonlySet<string> {
  return argumentNamesOf(bytes, schemaSpans(bytes));
}

function schemaSpans(bytes: Buffer): ReadonlyMap<string, Span> {
  const spans = valueSpans(bytes, { start: 0, end: bytes.length }, SCHEMA_PATHS);
  return new Map(spans.map(({ path, span }) => [path, span]));
}

function argumentNamesOf(bytes: Buffer, found: ReadonlyMap<string, Span>): ReadonlySet<string> {
  const properties = found.get('inputSchema.properties');
  return new Set(properties && memberNamesIn(bytes, properties));
}

/**
 * Returns the change to an argument. Even if a fixed value does not apply to the tool, the client's value is removed,
 * because a server may accept arguments that its schema omits.
 */
function argumentChange(
  shape: ArgumentShape,
  isInSchema: boolean,
  isPattern: boolean,
): CallArgument | undefined {
  if ('default' in shape)
    return isInSchema ? { kind: 'default', json: JSON.stringify(shape.default) } : undefined;
  if ('hidden' in shape || (isPattern && !isInSchema)) return { kind: 'hidden' };
  return { kind: 'value', json: JSON.stringify(shape.value) };
}

function schemaEdits(bytes: Buffer, found: ReadonlyMap<string, Span>, shape: CallShape): readonly Edit[] {
  const properties = found.get('inputSchema.properties');
  const required = found.get('inputSchema.required');
  const output = shape.result === 'content' ? found.get('outputSchema') : undefined;
  const removed = output === undefined ? [] : [output];
  const edits: Edit[] = [];
  const isChanged =
    properties !== undefined && memberNamesIn(bytes, properties).some((name) => shape.arguments.has(name));
  if (isChanged) {
    edits.push({
      span: properties,
      bytes: rewriteObject(bytes, properties, (name, value) =>
        clientProperty(shape.arguments.get(name), value),
      ),
    });
    const names = required === undefined ? [] : remainingRequired(bytes, required, shape);
    if (required !== undefined && names.length > 0)
      edits.push({ span: required, bytes: JSON.stringify(names) });
    else if (required !== undefined) removed.push(required);
  }
  return [...edits, ...removalEdits(bytes, removed)];
}

function remainingRequired(bytes: Buffer, required: Span, shape: CallShape): readonly unknown[] {
  const names: unknown = JSON.parse(bytes.toString('utf8', required.start, required.end));
  return Array.isArray(names) ? names.filter((name) => !shape.arguments.has(String(name))) : [];
}

/** Returns the schema that clients see for an argument, or undefined if the argument is hidden. */
function clientProperty(argument: CallArgument | undefined, schema: Buffer): Buffer | undefined {
  if (argument === undefined) return schema;
  if (argument.kind !== 'default') return undefined;
  const own = Buffer.from(`"default":${argument.json}`);
  const whole = { start: 0, end: schema.length };
  if (schema[0] !== OPEN_BRACE) return joinMembers([own]);
  return rewriteObject(schema, whole, (name, value) => (name === 'default' ? undefined : value), [own]);
}

/**
 * Returns the edits to a call that set fixed arguments, remove hidden arguments, and add defaults for absent arguments.
 */
export function argumentEdits(line: Buffer, name: Span, shape: CallShape): readonly Edit[] {
  if (shape.arguments.size === 0) return [];
  const found = valueSpans(
    line,
    { start: new JsonReader(line).afterSpace(0), end: line.length },
    ARGUMENTS_PATH,
  );
  if (found.length === 0) {
    const bytes = Buffer.concat([Buffer.from(',"arguments":'), joinMembers(missingMembers(shape.arguments))]);
    return [{ span: { start: name.end, end: name.end }, bytes }];
  }
  return found.map(({ span }) => {
    const sentArguments = line.subarray(span.start, span.end);
    return { span, bytes: shapedArguments(sentArguments, shape) ?? sentArguments };
  });
}

/** Converts the JSON of a call's arguments to the JSON that the server receives. */
export function shapedArguments(sent: Buffer | undefined, shape: CallShape | undefined): Buffer | undefined {
  const shapes = shape?.arguments;
  if (shapes === undefined || shapes.size === 0) return sent;
  if (sent === undefined || sent[0] === LOWER_N) return joinMembers(missingMembers(shapes));
  // The server itself rejects arguments that are not an object.
  if (sent[0] !== OPEN_BRACE) return sent;
  const keep = (key: string, value: Buffer): Buffer | undefined =>
    (shapes.get(key)?.kind ?? 'default') === 'default' ? value : undefined;
  const whole = { start: 0, end: sent.length };
  return rewriteObject(sent, whole, keep, missingMembers(shapes, new Set(memberNamesIn(sent, whole))));
}

function missingMembers(
  shapes: CallShape['arguments'],
  sentNames: ReadonlySet<string> = new Set(),
): readonly Buffer[] {
  return [...shapes].flatMap(([key, shape]) =>
    shape.kind === 'hidden' || (shape.kind === 'default' && sentNames.has(key))
      ? []
      : [Buffer.from(`${JSON.stringify(key)}:${shape.json}`)],
  );
}

/** Returns the names of an object's members, without escapes. */
function memberNamesIn(bytes: Buffer, object: Span): readonly string[] {
  if (bytes[object.start] !== OPEN_BRACE) return [];
  const names: string[] = [];
  const reader = new JsonReader(bytes);
  reader.object(object.start, 0, (keyStart, keyEnd, start, depth) => {
    names.push(stringAt(bytes, { start: keyStart - 1, end: keyEnd + 1 }) ?? '');
    return reader.value(start, depth);
  });
  return names;
}

/**
 * Returns an object with changed members. If `rewriteValue` returns a member's value, the member's bytes stay
 * unchanged.
 *
 * @param rewriteValue returns the JSON of a member's value, or undefined to remove the member
 * @param addedMembers members to append
 */
function rewriteObject(
  bytes: Buffer,
  object: Span,
  rewriteValue: (name: string, value: Buffer) => Buffer | undefined,
  addedMembers: readonly Buffer[] = [],
): Buffer {
  const members: Buffer[] = [];
  const reader = new JsonReader(bytes);
  reader.object(object.start, 0, (keyStart, keyEnd, start, depth) => {
    const end = reader.value(start, depth);
    const key = { start: keyStart - 1, end: keyEnd + 1 };
    const value = rewriteValue(stringAt(bytes, key) ?? '', bytes.subarray(start, end));
    if (value !== undefined) members.push(Buffer.concat([bytes.subarray(key.start, key.end), COLON, value]));
    return end;
  });
  return joinMembers([...members, ...addedMembers]);
}

function joinMembers(members: readonly Buffer[]): Buffer {
  const parts = members.flatMap((member, index) => (index === 0 ? [member] : [COMMA, member]));
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')]);
}
