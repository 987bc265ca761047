import { readMessage, valuePaths, valueSpans } from '@mcpmux/wire';

/** How a request was answered. */
export type Outcome = 'ok' | 'error' | 'tool_error';

const IS_ERROR = valuePaths([['isError']]);
const TRUE = 'true';

/** The outcome in the line of an answer. Most lines have neither word in them, and are not read for it. */
export function outcomeOf(line: Buffer): Outcome {
  if (!line.includes('"error"') && !line.includes('"isError"')) return 'ok';
  const message = readMessage(line, []);
  if (message.kind !== 'response') return 'ok';
  if (message.error !== undefined) return 'error';
  const { result } = message;
  const found = result && valueSpans(line, result, IS_ERROR).at(-1)?.span;
  return found && line.toString('latin1', found.start, found.end) === TRUE ? 'tool_error' : 'ok';
}
