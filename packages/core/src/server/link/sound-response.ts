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
/** `null` begins with it. */
const LOWER_N = 0x6e;

/** A response and its line. */
export interface ReadResponse {
  readonly line: BorrowedLine;
  readonly response: ServerResponse;
}

/**
 * A response that strict clients read, where that of the server has one meaning only: without the one of `result` and `error`
 * that is null, and with `jsonrpc`. For the few responses that lack `jsonrpc` or have both.
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
