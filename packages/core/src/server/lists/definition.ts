import { isRecord } from '@mcpmux/kit';
import { findKey, JsonReader, type KeyNode, keyPaths, type Span, splice, stringAt } from '@mcpmux/wire';
import type { ListSpec } from './list-kind.js';

/**
 * One entry of a server's list (a tool, prompt, resource or template) as the server defined it: the original bytes, and
 * the spans of the few values that mcpmux may change.
 */
export interface Definition {
  /** The entry's local name: a tool's or prompt's name, a resource's URI, or a URI template. */
  readonly key: string;
  /** The value of `key` as the server wrote it, with quotes and escapes. */
  readonly keyJson: Buffer;
  /** The whole definition, a JSON object. */
  readonly bytes: Buffer;
  /** The span in `bytes` of the key's value, including quotes. */
  readonly keySpan: Span;
  /** The span in `bytes` of the value of `_meta`, if it is an object. */
  readonly metaSpan: Span | undefined;
  /** The definition for clients of the other era, if it differs. */
  readonly forOthers?: Definition;
  /** True if lists omit the entry although clients can use it. */
  readonly isHidden?: boolean;
  /** The changes to the tool's calls and results, if any. */
  readonly shape?: CallShape;
}

/** The change to an argument in a tool's calls: a fixed value, a default for an absent argument, or removal. */
export type CallArgument =
  | { readonly kind: 'value' | 'default'; readonly json: string }
  | { readonly kind: 'hidden' };

/** The changes to a tool's calls and results. */
export interface CallShape {
  /** The changes to arguments, by argument name. */
  readonly arguments: ReadonlyMap<string, CallArgument>;
  /** If a result's `content` and `structuredContent` mean the same, clients receive only this member. */
  readonly result: 'content' | 'structuredContent' | undefined;
}

/** Parses a definition. Returns an empty object if the definition is not an object. */
export function parsedDefinition({ bytes }: Pick<Definition, 'bytes'>): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(bytes.toString('utf8'));
  return isRecord(parsed) ? parsed : {};
}

/** One page of a server's list. */
export interface Page {
  readonly items: readonly Definition[];
  /** Absent on the last page. An empty string is a valid cursor. */
  readonly nextCursor: string | undefined;
  /** The number of elements that were skipped, because they are not objects or have no key. */
  readonly skippedCount: number;
  /** True if the list is `null`, which some Go programs write instead of an empty list. */
  readonly isNull?: boolean;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** The first byte of `null`. */
const LOWER_N = 0x6e;

/**
 * Reads a list request's result, which is at `result` in `line`. Copies the definitions byte for byte, so schemas,
 * annotations and unknown fields stay as the server wrote them.
 *
 * @returns undefined if the result does not contain the array
 */
export function readPage(line: Buffer, result: Span, { member, keyMember }: ListSpec): Page | undefined {
  if (line[result.start] !== OPEN_BRACE) return undefined;
  const members = memberSpans(line, keyPaths([member, 'nextCursor']), result.start);
  const list = members.get(member);
  const cursor = members.get('nextCursor');
  if (list === undefined) return undefined;
  if (line[list.start] === LOWER_N)
    return { items: [], nextCursor: undefined, skippedCount: 0, isNull: true };
  if (line[list.start] !== OPEN_BRACKET) return undefined;
  const itemKeys = keyPaths([keyMember, '_meta']);
  const items: (Definition | undefined)[] = [];
  const reader = new JsonReader(line);
  reader.array(list.start, 0, (start, depth) => {
    const end = reader.value(start, depth);
    const isObject = line[start] === OPEN_BRACE;
    // Copies the bytes, so that an entry does not keep its whole line in memory, which may be megabytes long.
    const bytes = isObject ? Buffer.from(line.subarray(start, end)) : undefined;
    items.push(bytes && definitionIn(bytes, itemKeys, keyMember));
    return end;
  });
  const definitions = items.filter((item) => item !== undefined);
  const skippedCount = items.length - definitions.length;
  return { items: definitions, nextCursor: cursor && stringAt(line, cursor), skippedCount };
}

/** Reads a single definition. Returns undefined if the bytes are not a definition. */
export function readDefinition(bytes: Buffer, { keyMember }: ListSpec): Definition | undefined {
  return definitionIn(bytes, keyPaths([keyMember, '_meta']), keyMember);
}

function definitionIn(bytes: Buffer, itemKeys: readonly KeyNode[], keyName: string): Definition | undefined {
  const members = memberSpans(bytes, itemKeys);
  const keySpan = members.get(keyName);
  const key = keySpan === undefined ? undefined : stringAt(bytes, keySpan);
  if (keySpan === undefined || key === undefined) return undefined;
  const meta = members.get('_meta');
  return {
    key,
    keyJson: bytes.subarray(keySpan.start, keySpan.end),
    bytes,
    keySpan,
    metaSpan: meta !== undefined && bytes[meta.start] === OPEN_BRACE ? meta : undefined,
  };
}

/** Replaces a tool's description. All other bytes stay as the server wrote them. */
export function withDescription(tool: Definition, description: string): Definition {
  const { bytes, forOthers } = tool;
  const span = memberSpans(bytes, keyPaths(['description'])).get('description');
  const text = JSON.stringify(description);
  // The object is not empty, because a definition has a name.
  const edit =
    span === undefined
      ? { span: { start: 1, end: 1 }, bytes: `"description":${text},` }
      : { span, bytes: text };
  const changed = splice(bytes, [edit]).subarray(0, -1);
  const described = definitionIn(changed, keyPaths(['name', '_meta']), 'name') ?? tool;
  return forOthers === undefined
    ? described
    : { ...described, forOthers: withDescription(forOthers, description) };
}

function memberSpans(bytes: Buffer, wanted: readonly KeyNode[], at = 0): Map<string, Span> {
  const reader = new JsonReader(bytes);
  const members = new Map<string, Span>();
  reader.object(at, 0, (keyStart, keyEnd, start, depth) => {
    const end = reader.value(start, depth);
    const key = findKey(wanted, bytes, keyStart, keyEnd)?.key;
    if (key !== undefined) members.set(key, { start, end });
    return end;
  });
  return members;
}
