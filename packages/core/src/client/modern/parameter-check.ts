import { ErrorCode, type RpcError, stringAt } from '@mcpmux/wire';
import { ArgumentSpans } from '../../server/dialect/modern/argument-spans.js';
import { parameterHeaders } from '../../server/dialect/modern/parameter-headers.js';

const INTEGER = /^-?\d+(?:\.0+)?$/;
const NULL = 'null';
const NONE = new ArgumentSpans(new Map());
/** The annotated arguments of tool definitions. Few definitions have annotations; each is parsed once. */
const known = new WeakMap<Buffer, ArgumentSpans>();

/** Returns the text of the header that repeats a parameter, by the name in the tool definition, in lower case. */
export type SentParameter = (name: string) => string | undefined;

/**
 * Returns the error for a call whose headers differ from its arguments, or undefined if they agree. A parameter that is
 * absent or null needs no header. Invalid definitions are not checked, because clients do not use such tools.
 */
export function parameterProblem(
  line: Buffer,
  definition: Buffer,
  sent: SentParameter,
): RpcError | undefined {
  for (const [name, span] of headersOf(definition).in(line)) {
    const json = line.toString('utf8', span.start, span.end);
    if (json === NULL || isEqual(stringAt(line, span), json, sent(name))) continue;
    const header = `Mcp-Param-${name}`;
    const message = `The header ${header} is missing, or differs from its argument`;
    return { code: ErrorCode.HeaderMismatch, message, data: { header } };
  }
  return undefined;
}

/** @param text the argument, if it is a string; otherwise its JSON is compared */
function isEqual(text: string | undefined, json: string, sent: string | undefined): boolean {
  if (text !== undefined || sent === undefined) return sent === text;
  if (sent === json) return true;
  return INTEGER.test(sent) && Number.isSafeInteger(Number(sent)) && Number(sent) === Number(json);
}

function headersOf(definition: Buffer): ArgumentSpans {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const wanted = parameterHeaders(definition);
  const headers = 'problem' in wanted || wanted.size === 0 ? NONE : new ArgumentSpans(wanted);
  known.set(definition, headers);
  return headers;
}
