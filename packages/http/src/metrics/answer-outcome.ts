import { readMessage, valuePaths, valueSpans } from '@mcpmux/wire';

/** The outcome of a request. */
export type Outcome = 'ok' | 'error' | 'tool_error';

const IS_ERROR = valuePaths([['isError']]);
const TRUE = 'true';
/** The beginning of a response that has a result, and therefore no error, as servers write it. */
const WITH_RESULT = /^\{(?:"jsonrpc":"2\.0",|"id":(?:-?\d+|"[^"\\]*"),)*"result":/;
const BEGINNING_BYTES = 96;
/** `"isError"` in two parts. The second part is searched because it begins with a rare character. */
const [BEFORE, SEARCHED] = ['"is', 'Error"'];

/**
 * Returns the outcome in the line of a response. Most lines contain neither an error nor `isError`, so they are not
 * parsed.
 */
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

/**
 * True if a line contains `"isError"`. A search stops at each first character, and a table has so many quotation marks
 * that searching for them would take longer than parsing.
 */
function namesIsError(line: Buffer): boolean {
  for (let at = line.indexOf(SEARCHED); at !== -1; at = line.indexOf(SEARCHED, at + 1)) {
    if (line.toString('latin1', at - BEFORE.length, at) === BEFORE) return true;
  }
  return false;
}
