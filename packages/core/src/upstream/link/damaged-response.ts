import { type BorrowedLine, readMessage } from '@mcpmux/wire';
import { isRecord } from '../../base/is-record.js';
import type { ServerResponse } from './pending-call.js';
import { SERVER_PATHS } from './server-paths.js';

const OPEN_BRACE = 0x7b;

/** A whole response behind colour codes or a log text without its newline. Every other message there is garbage. */
export function gluedResponse(
  line: BorrowedLine,
): { readonly line: BorrowedLine; readonly response: ServerResponse } | undefined {
  const start = line.indexOf(OPEN_BRACE);
  if (start < 1) return undefined;
  const rest = line.subarray(start);
  const message = readMessage(rest, SERVER_PATHS);
  return message.kind === 'response' ? { line: rest, response: message } : undefined;
}

/** The defect for which clients drop a response without a word, so that their caller would wait for ever. */
export function responseProblem(line: BorrowedLine, { result, error }: ServerResponse): string | undefined {
  if (error === undefined) return result === undefined ? 'it has neither a result nor an error' : undefined;
  if (result !== undefined) return 'it has a result and an error';
  const value: unknown = JSON.parse(line.toString('utf8', error.start, error.end));
  const { code, message } = isRecord(value) ? value : {};
  return Number.isSafeInteger(code) && typeof message === 'string'
    ? undefined
    : 'its error has no integer as code, or no text as message';
}
