import type { Span } from '@mcpmux/wire';
import { jsonShape } from './json-shape.js';
import { resultMembers, type ResultMembers } from './result-members.js';
import type { ResultFiles, ResultStore } from './result-store.js';
import { headOf } from './text-pages.js';

/** Maximum number of bytes quoted from the start of a long result. */
const MAX_HEAD_BYTES = 8000;
const MAX_SHAPE_CHARACTERS = 2000;
const BYTES_PER_TOKEN = 4;

/** The maximum length of a result's text, either in bytes of its JSON or in characters. */
export interface ResultLength {
  readonly most: number;
  readonly unit: 'bytes' | 'characters';
}

/** The documented length above which a client truncates tool results. */
export interface ClientResultLimit extends ResultLength {
  /** Prefix of the name that the client reports at initialization, in lower case. */
  readonly client: string;
  /** If present, a tool can override the limit under this `_meta` key, up to this maximum. */
  readonly raisedBy?: { readonly key: string; readonly most: number } | undefined;
}

/** Supplied by the host: the known client limits, and the file storage for clients on the same machine. */
export interface ResultHost {
  readonly limits?: readonly ClientResultLimit[] | undefined;
  readonly files?: ResultFiles | undefined;
}

/** Settings for shortening a result. */
export interface Shortening {
  readonly store: ResultStore;
  readonly principal: string;
  /** A result with more text than this is shortened. */
  readonly limit: ResultLength;
  /** Also writes the text to files; undefined for a client on another machine. */
  readonly files: ResultFiles | undefined;
  /** True if the structured content must stay, because the tool has, or may have, an output schema. */
  readonly keepsStructured: boolean;
}

/**
 * Shortens a tool result whose text exceeds the limit: replaces the text with its beginning, its JSON shape and a
 * handle for reading the rest. Other blocks and members stay unchanged.
 *
 * @returns undefined if the result is not shortened
 */
export async function shortenResult(json: Buffer, settings: Shortening): Promise<Buffer | undefined> {
  const members = resultMembers(json);
  if (members === undefined) return undefined;
  const { blocks, structured } = members;
  const texts = blocks.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const isStored = structured !== undefined && !settings.keepsStructured;
  const bytes = texts.reduce((sum, span) => sum + lengthOf(span), isStored ? lengthOf(structured) : 0);
  // The text cannot have more characters than bytes, so this check is valid for both units.
  if (bytes <= settings.limit.most || bytes === 0) return undefined;
  const parts: Buffer[] = [];
  for (const { start, end } of texts) parts.push(await decodeText(json, start + 1, end - 1));
  if (isStored) parts.push(Buffer.from(json.subarray(structured.start, structured.end)));
  if (settings.limit.unit === 'characters' && countCharacters(parts) <= settings.limit.most) return undefined;
  const handle = settings.store.add({ principal: settings.principal, parts });
  const paths = handle === undefined ? undefined : await settings.files?.save(handle, parts);
  return rebuildResult(json, members, isStored, noteOf(parts, { handle, paths: paths ?? [] }, settings));
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

/** Returns the total length in UTF-16 code units. */
function countCharacters(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.toString().length, 0);
}

function rebuildResult(json: Buffer, members: ResultMembers, dropsStructured: boolean, note: string): Buffer {
  const { blocks, structured, otherMembers } = members;
  const bytesAt = ({ start, end }: Span): Buffer => json.subarray(start, end);
  const parts: Buffer[] = [Buffer.from(`{"content":[{"type":"text","text":${JSON.stringify(note)}}`)];
  for (const { span, text } of blocks) if (text === undefined) parts.push(Buffer.from(','), bytesAt(span));
  parts.push(Buffer.from(']'));
  if (structured !== undefined && !dropsStructured)
    parts.push(Buffer.from(',"structuredContent":'), bytesAt(structured));
  for (const { key, value } of otherMembers)
    parts.push(Buffer.from(`,${JSON.stringify(key)}:`), bytesAt(value));
  parts.push(Buffer.from('}'));
  return Buffer.concat(parts);
}

/** Returns the text that the model gets in place of the long text. */
function noteOf(parts: readonly Buffer[], location: TextLocation, { limit, store }: Shortening): string {
  const [first = Buffer.alloc(0)] = parts;
  const sizes = parts.map(
    (part) => `${part.length} bytes (about ${Math.ceil(part.length / BYTES_PER_TOKEN)} tokens)`,
  );
  const shapes = parts.map((part) => jsonShape(part)?.slice(0, MAX_SHAPE_CHARACTERS)).filter(Boolean);
  const head = headOf(first, Math.min(MAX_HEAD_BYTES, Math.floor(limit.most / 4)));
  return [
    `The result is too long for this client: ${sizes.join(' and ')}. ${readingHint(location, parts, store)}`,
    ...shapes.map((shape) => `Shape: ${shape}`),
    `It begins with:\n${head}`,
  ].join('\n');
}

/** The location of a shortened result's full text. `handle` is undefined if the text was too long to store. */
interface TextLocation {
  readonly handle: string | undefined;
  readonly paths: readonly string[];
}

function readingHint({ handle, paths }: TextLocation, parts: readonly Buffer[], store: ResultStore): string {
  if (handle === undefined)
    return `It is longer than the ${store.maxBytes} bytes that mcpmux stores: ask the tool for less.`;
  const part = parts.length > 1 ? `, "part": 1 to ${parts.length}` : '';
  return (
    `The tool was called; do not call it again to read more. ${filesHint(paths)}read_result with {"handle": "${handle}"${part}} reads ` +
    'the whole result in pages; "grep" finds lines, "path" selects by JSON path. ' +
    `The same is the resource mcpmux-result://${handle}.`
  );
}

function filesHint(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const where = paths.length === 1 ? 'the file' : 'the files, one for each part,';
  return `The whole result is in ${where} ${paths.join(' and ')}: search there with grep or jq. Or `;
}

const BACKSLASH = 0x5c;
const CHUNK_BYTES = 1024 * 1024;
/** Length of a `\uXXXX` escape. */
const UNICODE_ESCAPE_LENGTH = 6;

/**
 * Decodes a JSON string to UTF-8. Decodes a long string in chunks, so that other work can run between them.
 *
 * @param start offset after the opening quote
 * @param end offset of the closing quote
 */
export async function decodeText(json: Buffer, start: number, end: number): Promise<Buffer> {
  const escape = json.indexOf(BACKSLASH, start);
  // Copied, because a subarray would retain the whole answer in memory.
  if (escape < 0 || escape >= end) return Buffer.from(json.subarray(start, end));
  const parts: Buffer[] = [];
  for (let at = start; at < end;) {
    const chunkEnd = findCutOffset(json, { start: at, at: Math.min(at + CHUNK_BYTES, end), end });
    const text: unknown = JSON.parse(`"${json.toString('utf8', at, chunkEnd)}"`);
    parts.push(Buffer.from(String(text)));
    at = chunkEnd;
    if (at < end) await new Promise(setImmediate);
  }
  return Buffer.concat(parts);
}

/**
 * Returns an offset, from `at` to 12 bytes after it, that splits neither an escape sequence nor a UTF-8 character.
 *
 * @param start an earlier offset that is not within an escape sequence
 */
export function findCutOffset(json: Uint8Array, { start, at, end }: Span & { readonly at: number }): number {
  let cut = at;
  for (let from = at - 1; from >= Math.max(start, at - UNICODE_ESCAPE_LENGTH); from -= 1) {
    if (json[from] !== BACKSLASH) continue;
    let before = from;
    while (before > start && json[before - 1] === BACKSLASH) before -= 1;
    // After an odd number of backslashes, this backslash is itself escaped.
    if ((from - before) % 2 === 0) cut = Math.max(at, endOfEscape(json, from));
    break;
  }
  while (cut < end && ((json[cut] ?? 0) & 0xc0) === 0x80) cut += 1;
  return Math.min(cut, end);
}

/** Returns the end of the escape at `start`. The two escapes of a surrogate pair count as one. */
function endOfEscape(json: Uint8Array, start: number): number {
  const escapes = Buffer.from(json.subarray(start, start + 2 * UNICODE_ESCAPE_LENGTH)).toString('latin1');
  return start + (/^\\u(?:d[89ab]..\\ud[c-f]..|....)/iu.exec(escapes)?.[0].length ?? 2);
}
