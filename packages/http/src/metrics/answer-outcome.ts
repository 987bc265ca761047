import { readMessage, valuePaths, valueSpans } from '@mcpmux/wire';

/** How a request was answered. */
export type Outcome = 'ok' | 'error' | 'tool_error';

const IS_ERROR = valuePaths([['isError']]);
const TRUE = 'true';
/** The beginning of an answer that has a result, and thus no error, as servers write them. */
const WITH_RESULT = /^\{(?:"jsonrpc":"2\.0",|"id":(?:-?\d+|"[^"\\]*"),)*"result":/;
const BEGINNING_BYTES = 96;
/** The part of `"isError"` that is searched: it begins with a rare character. */
const [BEFORE, SEARCHED] = ['"is', 'Error"'];

/** The outcome in the line of an answer. Most lines have neither an error nor `isError`, and are not read for that. */
export function outcomeOf(line: Buffer): Outcome {
  const hasResult = WITH_RESULT.test(line.toString('latin1', 0, BEGINNING_BYTES));
  if ((hasResult || !line.includes('"error"')) && !namesIsError(line)) return 'ok';
  const message = readMessage(line, []);
  if (message.kind !== 'response') return 'ok';
  if (message.error !== undefined) return 'error';
  const { result } = message;
  const found = result && valueSpans(line, result, IS_ERROR).at(-1)?.span;
  return found && line.toString('latin1', found.start, found.end) === TRUE ? 'tool_error' : 'ok';
}

/** A search stops at each first character: of quotation marks a table is so full that it takes longer than to read it. */
function namesIsError(line: Buffer): boolean {
  for (let at = line.indexOf(SEARCHED); at !== -1; at = line.indexOf(SEARCHED, at + 1)) {
    if (line.toString('latin1', at - BEFORE.length, at) === BEFORE) return true;
  }
  return false;
}
