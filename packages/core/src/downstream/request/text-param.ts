import { type Span, stringAt } from '@mcpmux/wire';
import type { RequestLine } from './exchange.js';

/** A text in the params of a request, and where it stands. */
export interface TextParam {
  readonly text: string;
  readonly span: Span;
}

/** The text at a path of the params; `undefined` when there is none, or something else. */
export function textParam(
  { line, params }: Pick<RequestLine, 'line' | 'params'>,
  path: string,
): TextParam | undefined {
  const span = params.get(path);
  const text = span && stringAt(line, span);
  return span === undefined || text === undefined ? undefined : { text, span };
}
