import { messageOf } from '@mcpmux/kit';
import { type Edit, JsonReader, readMessage, type Span, splice, valuePaths, valueSpans } from '@mcpmux/wire';
import { CLIENT_PARAM_PATHS } from '../caller/client-paths.js';
import type { RequestLine } from './exchange.js';

/** The members of params that guards must not change, because mcpmux routes and authorizes requests by them. */
const ROUTING_KEYS: ReadonlySet<string> = new Set(['ref', ...CLIENT_PARAM_PATHS.map(({ key }) => key)]);
const LINE_FEED = 0x0a;
const CLOSE_BRACE = 0x7d;

/**
 * Returns the request with these members of its params changed or added. Every other byte stays the same.
 *
 * @param params an object with the changed members, each a JSON value or the bytes of its JSON text
 * @throws Error that states why the params cannot be changed
 */
export function withParams(line: Buffer, params: unknown): RequestLine {
  if (typeof params !== 'object' || params === null)
    throw new Error('the params of its change are no object');
  const members = Object.entries(params).map(([name, value]) => ({ name, json: jsonOf(name, value) }));
  const spans = memberSpans(
    line,
    members.map(({ name }) => name),
  );
  const edits = members.flatMap(({ name, json }): readonly Edit[] => {
    const span = spans.member(name);
    return span === undefined ? [] : [{ span, bytes: json }];
  });
  const addedMembers = members.filter(({ name }) => spans.member(name) === undefined);
  const changedLine = splice(line, [...edits, ...insertionEdits(line, spans.params, addedMembers)]).subarray(
    0,
    -1,
  );
  const message = readMessage(changedLine, CLIENT_PARAM_PATHS);
  if (message.kind !== 'request') throw new Error('the params of its change are not JSON');
  return { line: changedLine, idSpan: message.id, params: message.params };
}

interface Member {
  readonly name: string;
  readonly json: Buffer;
}

function jsonOf(name: string, value: unknown): Buffer {
  if (ROUTING_KEYS.has(name))
    throw new Error(`a guard cannot change "${name}", by which mcpmux routes requests`);
  const json = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(jsonTextOf(name, value));
  const reader = new JsonReader(json);
  if (json.includes(LINE_FEED)) throw new Error(`the new value of "${name}" holds a line feed`);
  reader.expectEnd(reader.value(reader.afterSpace(0)));
  return json;
}

function jsonTextOf(name: string, value: unknown): string {
  try {
    // Despite its declared type, `JSON.stringify` returns undefined for functions and for undefined.
    const text: unknown = JSON.stringify(value);
    if (typeof text === 'string') return text;
  } catch (error) {
    throw new Error(`the new value of "${name}" is not JSON: ${messageOf(error)}`, { cause: error });
  }
  throw new Error(`the new value of "${name}" is not JSON`);
}

function memberSpans(line: Buffer, names: readonly string[]) {
  const messageSpan = { start: new JsonReader(line).afterSpace(0), end: line.length };
  const [params] = valueSpans(line, messageSpan, valuePaths([['params']]));
  const spans =
    params === undefined || names.length === 0
      ? []
      : valueSpans(line, params.span, valuePaths(names.map((name) => [name])));
  return {
    params: params?.span,
    member: (name: string) => spans.find(({ path }) => path === name)?.span,
  };
}

/** Returns the edit that adds members at the start of the params, or adds params to a request that has none. */
function insertionEdits(line: Buffer, params: Span | undefined, members: readonly Member[]): readonly Edit[] {
  if (members.length === 0) return [];
  const text = members.map(({ name, json }) => `${JSON.stringify(name)}:${json.toString()}`).join(',');
  if (params === undefined) return [{ span: emptySpan(line.lastIndexOf('}')), bytes: `,"params":{${text}}` }];
  const firstOffset = new JsonReader(line).afterSpace(params.start + 1);
  const comma = line[firstOffset] === CLOSE_BRACE ? '' : ',';
  return [{ span: emptySpan(params.start + 1), bytes: text + comma }];
}

function emptySpan(at: number): Span {
  return { start: at, end: at };
}
