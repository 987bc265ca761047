import { JsonReader, type Span } from '@mcpmux/wire';

/** Keys of a tool result's members in its raw JSON. For a parsed result, use `contentBlocks` from the kit. */
export const [CONTENT, STRUCTURED] = ['content', 'structuredContent'] as const;

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;

/** The spans of one content block and of its text. */
export interface BlockSpans {
  readonly span: Span;
  /** The span of the text, including the quotes; undefined if this is not a text block. */
  readonly text: Span | undefined;
}

/** The spans of a tool result's members within its JSON. */
export interface ResultMembers {
  readonly blocks: readonly BlockSpans[];
  readonly structured: Span | undefined;
  /** All members except `content` and `structuredContent`. */
  readonly otherMembers: readonly { readonly key: string; readonly value: Span }[];
}

/** Finds the members of a tool result; returns undefined for a result without a `content` array. */
export function resultMembers(json: Buffer): ResultMembers | undefined {
  const reader = new JsonReader(json);
  const members = memberSpansOf(reader, json, reader.afterSpace(0));
  const content = members.get(CONTENT);
  if (content === undefined || json[content.start] !== OPEN_BRACKET) return undefined;
  const blocks: BlockSpans[] = [];
  reader.array(content.start, 1, (start, depth) => {
    const end = reader.value(start, depth);
    blocks.push({ span: { start, end }, text: textSpanOf(reader, json, start) });
    return end;
  });
  const structured = members.get(STRUCTURED);
  const otherMembers = [...members].flatMap(([key, value]) =>
    key === CONTENT || key === STRUCTURED ? [] : [{ key, value }],
  );
  return { blocks, structured, otherMembers };
}

function textSpanOf(reader: JsonReader, json: Buffer, start: number): Span | undefined {
  if (json[start] !== OPEN_BRACE) return undefined;
  const members = memberSpansOf(reader, json, start);
  const type = members.get('type');
  const text = members.get('text');
  const isText = type !== undefined && json.toString('utf8', type.start, type.end) === '"text"';
  return isText && text !== undefined && json[text.start] === QUOTE ? text : undefined;
}

function memberSpansOf(reader: JsonReader, json: Buffer, start: number): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  reader.object(start, 0, (keyStart, keyEnd, at, depth) => {
    const end = reader.value(at, depth);
    const key: unknown = JSON.parse(json.toString('utf8', keyStart - 1, keyEnd + 1));
    members.set(String(key), { start: at, end });
    return end;
  });
  return members;
}
