import { EACH, type Edit, type Span, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';
import { CONTENT, STRUCTURED } from '../../guards/results/result-members.js';
import { prependEdit } from '../../server/link/members.js';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const RESULT_PATHS = valuePaths([[STRUCTURED], [CONTENT], [CONTENT, EACH, 'type']]);

/**
 * Returns the edits that wrap a tool's structured content in an object, as legacy clients require, and that repeat it
 * as a text block if the result has none.
 *
 * @param isWrapped true if the client's output schema expects the content in a member `result`
 */
export function wrappingEdits(line: Buffer, result: Span, isWrapped: boolean): readonly Edit[] {
  if (line[result.start] !== OPEN_BRACE) return [];
  // Most results have no structured content, and a byte search is much faster than parsing the whole result.
  if (!line.includes(`${STRUCTURED}"`, result.start)) return [];
  const found = valueSpans(line, result, RESULT_PATHS);
  const value = found.find(({ path }) => path === STRUCTURED)?.span;
  if (value === undefined || (!isWrapped && line[value.start] === OPEN_BRACE)) return [];
  const { start, end } = value;
  const wrapped: Edit[] = [
    { span: { start, end: start }, bytes: '{"result":' },
    { span: { start: end, end }, bytes: '}' },
  ];
  const hasText = found.some(
    ({ path, span }) => path === `${CONTENT}.[].type` && stringAt(line, span) === 'text',
  );
  return hasText
    ? wrapped
    : [...wrapped, textBlockEdit(line, result, found.find(({ path }) => path === CONTENT)?.span, value)];
}

function textBlockEdit(line: Buffer, result: Span, content: Span | undefined, value: Span): Edit {
  const text = JSON.stringify(line.toString('utf8', value.start, value.end));
  const block = `{"type":"text","text":${text}}`;
  if (content === undefined) return prependEdit(line, result, `"${CONTENT}":[${block}]`);
  if (line[content.start] !== OPEN_BRACKET) return { span: content, bytes: `[${block}]` };
  const at = content.end - 1;
  const isEmpty = line.toString('latin1', content.start + 1, at).trim() === '';
  return { span: { start: at, end: at }, bytes: isEmpty ? block : `,${block}` };
}
