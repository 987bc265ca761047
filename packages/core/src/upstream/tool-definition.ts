import { JsonReader } from '../wire/json-reader.js';
import { findKey, keyPaths } from '../wire/key-paths.js';
import { stringAt } from '../wire/message.js';
import type { Span } from '../wire/span.js';

/** One tool as its server defines it: the original bytes, and where the few values stand that mcpmux may change. */
export interface ToolDefinition {
  /** The tool's name on its own server. */
  readonly localName: string;
  /** `localName` as the server wrote it, quotes and escapes included. */
  readonly nameJson: Buffer;
  /** The whole definition, a JSON object. */
  readonly bytes: Buffer;
  /** Where the name (with quotes) stands in `bytes`. */
  readonly name: Span;
  /** Where the value of `_meta` stands in `bytes`, when it is an object. */
  readonly meta: Span | undefined;
}

/** One page of a server's `tools/list`. */
export interface ToolPage {
  readonly tools: readonly ToolDefinition[];
  /** Absent on the last page. An empty string is a cursor like any other. */
  readonly nextCursor: string | undefined;
  /** Elements of `tools` that are no tools: no object, or no name. */
  readonly skipped: number;
}

const RESULT_KEYS = keyPaths(['tools', 'nextCursor']);
const TOOL_KEYS = keyPaths(['name', '_meta']);
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * Reads the `tools/list` result that stands at `result` in `line`. The definitions are copied out of the line, byte
 * for byte: schemas, annotations and fields that mcpmux has never heard of stay as the server wrote them.
 *
 * @returns undefined when the result holds no array of tools
 */
export function readToolPage(line: Buffer, result: Span): ToolPage | undefined {
  const reader = new JsonReader(line);
  if (line[result.start] !== OPEN_BRACE) return undefined;
  let elements: readonly Span[] | undefined;
  let nextCursor: string | undefined;
  reader.object(result.start, 0, (keyStart, keyEnd, at, depth) => {
    const key = findKey(RESULT_KEYS, line, keyStart, keyEnd)?.key;
    if (key === 'tools' && line[at] === OPEN_BRACKET) {
      const found = elementsOf(reader, at, depth);
      elements = found.spans;
      return found.end;
    }
    const end = reader.value(at, depth);
    if (key === 'nextCursor') nextCursor = stringAt(line, { start: at, end });
    return end;
  });
  if (elements === undefined) return undefined;
  const tools = elements.map((span) => readTool(line, span)).filter((tool) => tool !== undefined);
  return { tools, nextCursor, skipped: elements.length - tools.length };
}

function elementsOf(reader: JsonReader, start: number, depth: number): { spans: Span[]; end: number } {
  const spans: Span[] = [];
  const end = reader.array(start, depth, (at, inside) => {
    const elementEnd = reader.value(at, inside);
    spans.push({ start: at, end: elementEnd });
    return elementEnd;
  });
  return { spans, end };
}

function readTool(line: Buffer, span: Span): ToolDefinition | undefined {
  if (line[span.start] !== OPEN_BRACE) return undefined;
  // A copy: the line may be megabytes, and one of its tools must not keep all of it alive.
  const bytes = Buffer.from(line.subarray(span.start, span.end));
  const members = membersOf(bytes);
  const name = members.get('name');
  const localName = name === undefined ? undefined : stringAt(bytes, name);
  if (name === undefined || localName === undefined) return undefined;
  const meta = members.get('_meta');
  return {
    localName,
    nameJson: bytes.subarray(name.start, name.end),
    bytes,
    name,
    meta: meta !== undefined && bytes[meta.start] === OPEN_BRACE ? meta : undefined,
  };
}

function membersOf(bytes: Buffer): Map<string, Span> {
  const reader = new JsonReader(bytes);
  const members = new Map<string, Span>();
  reader.object(0, 0, (keyStart, keyEnd, start, depth) => {
    const end = reader.value(start, depth);
    const key = findKey(TOOL_KEYS, bytes, keyStart, keyEnd)?.key;
    if (key !== undefined) members.set(key, { start, end });
    return end;
  });
  return members;
}
