import { readMessage } from '@mcpmux/wire';
import { isRecord } from '../../base/is-record.js';
import type { ServerResponse } from './pending-call.js';
import { SERVER_PATHS } from './server-paths.js';

/** How a line begins that was meant as a message, or as a batch of them. */
const MESSAGE_START = /^\s*(?:\[\s*)*\{/;
/** How a line begins that was meant as a batch. */
const BATCH_START = /^\s*\[[\s[]*\{/;
/** How most serializers begin a request or a notification, even if its id is broken. */
const METHOD_START =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:[^,]{0,200},\s*)?"method"\s*:\s*"/;
const OPEN_BRACE = 0x7b;

/** Whether an unreadable line was meant as a message: a log line that quotes one was not. */
export function mayBeMessage(text: string): boolean {
  return MESSAGE_START.test(text);
}

/** Whether an unreadable line was meant as a request or a notification: whatever ids stand in it, it answers nothing. */
export function mayBeCalling(text: string): boolean {
  return METHOD_START.test(text);
}

/** Whether an unreadable line may hold several answers. */
export function mayBeBatch(text: string): boolean {
  return BATCH_START.test(text);
}

/** A response behind colour codes or a log text without its newline. Whatever else stands in such a line is garbage. */
export function gluedResponse(
  line: Buffer,
): { readonly line: Buffer; readonly response: ServerResponse } | undefined {
  const start = line.indexOf(OPEN_BRACE);
  if (start < 1) return undefined;
  const rest = line.subarray(start);
  const message = readMessage(rest, SERVER_PATHS);
  return message.kind === 'response' ? { line: rest, response: message } : undefined;
}

/** What makes clients drop a response without a word, so that their caller would wait for ever. */
export function responseProblem(line: Buffer, { result, error }: ServerResponse): string | undefined {
  if (error === undefined) return result === undefined ? 'it has neither a result nor an error' : undefined;
  if (result !== undefined) return 'it has a result and an error';
  const value: unknown = JSON.parse(line.toString('utf8', error.start, error.end));
  const { code, message } = isRecord(value) ? value : {};
  return Number.isSafeInteger(code) && typeof message === 'string'
    ? undefined
    : 'its error has no integer as code, or no text as message';
}
