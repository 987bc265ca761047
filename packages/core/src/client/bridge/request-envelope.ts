import { type Edit, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { CLIENT_META_KEYS } from '../../server/dialect/envelope-keys.js';
import { prependEdit } from '../../server/link/members.js';
import { memberEdits } from './json-members.js';

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LOWER_N = 0x6e;
const PARAMS_PATHS = valuePaths([['params'], ['params', '_meta']]);
const ENVELOPE_KEY_PATHS = valuePaths(Object.values(CLIENT_META_KEYS).map((key) => [key]));

/**
 * Returns the edits that add the client's description to a request's `_meta`.
 *
 * @param members the members to add, JSON text by key
 */
export function envelopeEdits(line: Buffer, members: Readonly<Record<string, string>>): readonly Edit[] {
  const found = valueSpans(line, { start: 0, end: line.length }, PARAMS_PATHS);
  const params = found.find(({ path }) => path === 'params')?.span;
  const meta = found.find(({ path }) => path === 'params._meta')?.span;
  const all = `{${Object.entries(members)
    .map(([key, json]) => `${JSON.stringify(key)}:${json}`)
    .join(',')}}`;
  if (params === undefined) return [insertionAtEnd(line, `,"params":{"_meta":${all}}`)];
  // Null counts as absent params. Any other value stays unchanged, so that the server answers with an error.
  if (line[params.start] !== OPEN_BRACE)
    return line[params.start] === LOWER_N ? [{ span: params, bytes: `{"_meta":${all}}` }] : [];
  if (meta === undefined) return [prependEdit(line, params, `"_meta":${all}`)];
  if (line[meta.start] !== OPEN_BRACE) return [{ span: meta, bytes: all }];
  return memberEdits(line, meta, members, ENVELOPE_KEY_PATHS);
}

/** Returns the span of a request's `params`, if present. */
export function paramsOf(line: Buffer): Span | undefined {
  const found = valueSpans(line, { start: 0, end: line.length }, PARAMS_PATHS);
  return found.find(({ path }) => path === 'params')?.span;
}

/**
 * Returns the edit that appends a member to a request. `text` starts with a comma, because a request is never empty.
 */
function insertionAtEnd(line: Buffer, text: string): Edit {
  const at = line.lastIndexOf(CLOSE_BRACE);
  return { span: { start: at, end: at }, bytes: text };
}
