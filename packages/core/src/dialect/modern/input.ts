import { JsonReader, type OutgoingLine, type ParamSpans, type RawId, resultLine } from '@mcpmux/wire';

/** The requests that may be answered with questions. */
const CARRIERS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** True if a request may be answered with questions. */
export function carriesInput(method: string): boolean {
  return CARRIERS.has(method);
}

/** The answer that puts questions to a client. `questions` are JSON texts by key. */
export function inputRequired(
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

/** The answers that a retry brings, as JSON by key. */
export function inputResponses(line: Buffer, params: ParamSpans): ReadonlyMap<string, Buffer> {
  const answers = new Map<string, Buffer>();
  const span = params.get('inputResponses');
  if (span === undefined || line[span.start] !== '{'.charCodeAt(0)) return answers;
  const reader = new JsonReader(line);
  reader.object(span.start, 0, (keyStart, keyEnd, valueStart) => {
    const end = reader.value(valueStart);
    const key: unknown = JSON.parse(line.toString('utf8', keyStart - 1, keyEnd + 1));
    answers.set(String(key), Buffer.from(line.subarray(valueStart, end)));
    return end;
  });
  return answers;
}
