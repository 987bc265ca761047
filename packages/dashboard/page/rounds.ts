import type { Json } from './connection.js';
import { isJson, textIn } from './values.js';

/** A question from a server to the user of the page. */
export interface Question {
  readonly method: string;
  readonly params: Json;
}

/** Questions by key. */
export type Questions = Readonly<Record<string, Question>>;

/** The functions with which one request proceeds while its server sends questions. */
export interface Steps {
  /** Sends the request with further params. Resolves with its result. */
  readonly send: (further: Json) => Promise<Json>;
  /** Resolves with the user's answers, by question key. */
  readonly ask: (questions: Questions) => Promise<Json>;
  /** Resolves after a delay, which grows with the number of tries. */
  readonly pause: (tries: number) => Promise<void>;
  /** Cancels a request that waits for answers. No retry will follow. */
  readonly withdraw: (requestState: string) => void;
}

/**
 * A request is given up after this number of consecutive results with the same questions or none, as in SDK clients.
 */
const MAX_SAME = 10;

/**
 * Sends a request, asks the user the questions of its server, and sends the request again with the answers, until the
 * server returns something else.
 *
 * @throws Error if the server keeps asking the same or nothing, or sends an unreadable question; and the errors of the
 * steps
 */
export async function converse({ send, ask, pause, withdraw }: Steps): Promise<Json> {
  let further: Json = {};
  let last = '';
  let same = 0;
  for (;;) {
    const result = await send(further);
    if (result['resultType'] !== 'input_required') return result;
    const { requestState } = result;
    try {
      const questions = questionsIn(result);
      // The keys differ in each result.
      const asked = JSON.stringify(Object.values(questions));
      same = asked === last ? same + 1 : 1;
      last = asked;
      if (same > MAX_SAME) throw new Error(endless(questions));
      const isEmpty = Object.keys(questions).length === 0;
      if (isEmpty) await pause(same);
      const inputResponses = isEmpty ? {} : await ask(questions);
      further = { inputResponses, ...(requestState !== undefined && { requestState }) };
    } catch (error) {
      if (typeof requestState === 'string') withdraw(requestState);
      throw error;
    }
  }
}

function endless(questions: Questions): string {
  const what = Object.keys(questions).length === 0 ? 'for another try, without a question,' : 'the same';
  return (
    `The request was given up: its server has asked ${what} ${MAX_SAME} times in a row. ` +
    'Send the request again to go on, or look at the log of the server.'
  );
}

/**
 * Returns the questions in a result.
 *
 * @throws Error for questions that are not requests
 */
function questionsIn({ inputRequests = {} }: Json): Questions {
  const entries = isJson(inputRequests) ? Object.entries(inputRequests) : undefined;
  const questions = entries?.map(([key, question]) => [key, questionIn(question)] as const);
  if (questions === undefined || questions.some(([, question]) => question === undefined))
    throw new Error(
      `The request was given up: its server has asked in a way that the page cannot read: ${JSON.stringify(inputRequests)}`,
    );
  return Object.fromEntries(questions) as Questions;
}

function questionIn(question: unknown): Question | undefined {
  if (!isJson(question)) return undefined;
  const method = textIn(question['method']);
  const { params = {} } = question;
  return method !== '' && isJson(params) ? { method, params } : undefined;
}
