import {
  type BorrowedLine,
  type Edit,
  readMessage,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { firstMembers, withoutMembers } from './members.js';
import type { Oddities } from './oddities.js';
import type { ServerResponse } from './pending-call.js';
import { SERVER_PATHS } from './server-paths.js';

const VERSION = valuePaths([['jsonrpc']]);
/** The first byte of `null`. */
const LOWER_N = 0x6e;

/** A response and its line. */
export interface ReadResponse {
  readonly line: BorrowedLine;
  readonly response: ServerResponse;
}

/**
 * Returns a response in a form that strict clients accept, if the response has only one meaning. If `result` or `error`
 * is null, that member is removed. If `jsonrpc` is missing, it is added. Call it only for the few responses that lack
 * `jsonrpc` or have both members.
 */
export function soundResponse(
  line: BorrowedLine,
  response: ServerResponse,
  oddities: Oddities,
): ReadResponse {
  const { versioned, result, error } = response;
  const needless = needlessMember(line, result, error);
  if (needless === undefined && versioned) return { line, response };
  if (needless !== undefined) oddities.note('null-member');
  if (!versioned) oddities.note('unversioned');
  const edits = [
    ...(needless === undefined ? [] : withoutMembers(line, [needless])),
    ...(versioned ? [] : [versionEdit(line)]),
  ];
  const sound = splice(line, edits).subarray(0, -1);
  const read = readMessage(sound, SERVER_PATHS);
  return read.kind === 'response' ? { line: sound, response: read } : { line, response };
}

function needlessMember(line: Buffer, result: Span | undefined, error: Span | undefined): Span | undefined {
  if (result === undefined || error === undefined) return undefined;
  return [error, result].find(({ start }) => line[start] === LOWER_N);
}

function versionEdit(line: Buffer): Edit {
  const whole = { start: 0, end: line.length };
  const [found] = valueSpans(line, whole, VERSION);
  if (found !== undefined) return { span: found.span, bytes: '"2.0"' };
  const start = line.indexOf('{');
  return firstMembers(line, { start, end: line.length }, '"jsonrpc":"2.0"');
}
