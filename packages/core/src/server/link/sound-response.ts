import {
  type BorrowedLine,
  type Edit,
  readMessage,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { isRecord, shownStart, type TextMask } from '@mcpmux/kit';
import { prependEdit, removalEdits } from './members.js';
import type { ServerResponse } from './pending-call.js';
import { SERVER_MESSAGE_PATHS } from './server-paths.js';
import { printableLine } from '../../process/stderr-lines.js';

const VERSION_PATHS = valuePaths([['jsonrpc']]);
/** The first byte of `null`. */
const LOWER_N = 0x6e;

/** A parsed response and the line that contains it. */
export interface ResponseWithLine {
  readonly line: BorrowedLine;
  readonly response: ServerResponse;
}

/**
 * Returns a response in a form that strict clients accept, if there is only one such form: removes a null `result` or
 * `error`, and adds a missing `jsonrpc`. Needed only for the few responses that lack `jsonrpc` or have both members.
 */
export function repairedResponse(
  line: BorrowedLine,
  response: ServerResponse,
  deviations: Deviations,
): ResponseWithLine {
  const { versioned, result, error } = response;
  const extraNull = nullMember(line, result, error);
  if (extraNull === undefined && versioned) return { line, response };
  if (extraNull !== undefined) deviations.record('null-member');
  if (!versioned) deviations.record('unversioned');
  const edits = [
    ...(extraNull === undefined ? [] : removalEdits(line, [extraNull])),
    ...(versioned ? [] : [versionEdit(line)]),
  ];
  const repaired = splice(line, edits).subarray(0, -1);
  const read = readMessage(repaired, SERVER_MESSAGE_PATHS);
  return read.kind === 'response' ? { line: repaired, response: read } : { line, response };
}

function nullMember(line: Buffer, result: Span | undefined, error: Span | undefined): Span | undefined {
  if (result === undefined || error === undefined) return undefined;
  return [error, result].find(({ start }) => line[start] === LOWER_N);
}

function versionEdit(line: Buffer): Edit {
  const whole = { start: 0, end: line.length };
  const [found] = valueSpans(line, whole, VERSION_PATHS);
  if (found !== undefined) return { span: found.span, bytes: '"2.0"' };
  const start = line.indexOf('{');
  return prependEdit(line, { start, end: line.length }, '"jsonrpc":"2.0"');
}

/** The maximum length of a malformed error in a problem, in characters. */
const MAX_PRINTED_ERROR_LENGTH = 300;

/** Returns the defect that makes clients silently drop a response and wait forever, or undefined if there is none. */
export function responseProblem(
  line: BorrowedLine,
  { result, error }: ServerResponse,
  mask: TextMask,
): string | undefined {
  if (error === undefined) return result === undefined ? 'it has neither a result nor an error' : undefined;
  if (result !== undefined) return 'it has a result and an error';
  const json = line.toString('utf8', error.start, error.end);
  const value: unknown = JSON.parse(json);
  const { code, message } = isRecord(value) ? value : {};
  if (Number.isSafeInteger(code) && typeof message === 'string') return undefined;
  return `its error has no integer as code, or no text as message: ${printableLine(shownStart(mask, json, MAX_PRINTED_ERROR_LENGTH), mask)}`;
}

/** Describes each protocol deviation that mcpmux can repair unambiguously, as a clause without its subject. */
const TEXTS = {
  'not-utf8': 'sends bytes that are not UTF-8; U+FFFD stands for each of them',
  'text-id': 'answers ids as text',
  'null-member': 'sends a result and an error of which one is null; the null is left out',
  unversioned: 'answers without "jsonrpc":"2.0"; it is added',
  'no-id': 'sends errors without the id of their request',
} as const;

type Deviation = keyof typeof TEXTS;

/** Counts the protocol deviations that mcpmux has repaired in one server run. */
export class Deviations {
  private readonly counts = new Map<Deviation, number>();

  record(deviation: Deviation): void {
    this.counts.set(deviation, (this.counts.get(deviation) ?? 0) + 1);
  }

  /** One sentence for each kind of deviation, for the server's status. */
  get warnings(): readonly string[] {
    return [...this.counts].map(([deviation, count]) => `It ${TEXTS[deviation]} (${count} so far).`);
  }
}
