import { isRecord } from '@mcpmux/kit';
import { JsonReader, type OutgoingLine, type ParamSpans, type RawId, resultLine } from '@mcpmux/wire';

/** The methods whose requests may be answered with questions. */
export const INPUT_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const OPEN_BRACE = '{'.charCodeAt(0);

/** Returns the line that answers a request with questions. `questions` maps keys to JSON text. */
export function inputRequiredLine(
  id: RawId,
  questions: ReadonlyMap<string, string>,
  requestState: string,
): OutgoingLine {
  const requests = [...questions].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',');
  const state = JSON.stringify(requestState);
  return resultLine(
    id,
    `{"resultType":"input_required","inputRequests":{${requests}},"requestState":${state}}`,
  );
}

/** Returns the answers in a retry: the JSON of each answer, by the question's key. */
export function inputResponses(line: Buffer, params: ParamSpans): ReadonlyMap<string, Buffer> {
  const answers = new Map<string, Buffer>();
  const span = params.get('inputResponses');
  if (span === undefined || line[span.start] !== OPEN_BRACE) return answers;
  const reader = new JsonReader(line);
  reader.object(span.start, 0, (keyStart, keyEnd, valueStart) => {
    const end = reader.value(valueStart);
    const key: unknown = JSON.parse(line.toString('utf8', keyStart - 1, keyEnd + 1));
    answers.set(String(key), Buffer.from(line.subarray(valueStart, end)));
    return end;
  });
  return answers;
}

/**
 * Returns the error in a client's refusal of a question, as JSON text, or undefined for any other answer. Revision
 * 2026-07-28 does not define how a client refuses sampling, so any answer whose only member is `error` counts as a
 * refusal. A valid answer always has another member.
 */
export function refusalIn(answer: Buffer): string | undefined {
  const value: unknown = answer[0] === OPEN_BRACE ? JSON.parse(answer.toString('utf8')) : undefined;
  if (!isRecord(value) || !isRecord(value['error']) || Object.keys(value).length > 1) return undefined;
  const { code, message } = value['error'];
  return Number.isSafeInteger(code) && typeof message === 'string'
    ? JSON.stringify(value['error'])
    : undefined;
}
