import { createHmac, randomBytes } from 'node:crypto';

import type { Params } from '../raw/message.js';
import { requestInput, envelopeMember } from '../raw/modern-server.js';
import { fail, lineOf, write } from '../raw/output.js';
import type { Request } from '../raw/raw-server.js';
import type { InteractiveCall } from './asking-tools.js';
import {
  isValidAnswer,
  REQUIRED_CAPABILITY,
  type Answers,
  type Question,
  type Questions,
} from './questions.js';

/** The request state: the client's answers in earlier rounds, and the number of those rounds. */
interface RequestState {
  readonly round: number;
  readonly answers: Answers;
  readonly nonce: string;
}

const SIGNING_KEY = randomBytes(32);
const INITIAL_STATE: RequestState = { round: 0, answers: {}, nonce: '' };

/**
 * Asks the client the next round's questions, in a result of 2026-07-28.
 *
 * @param done - called with the text once all questions have been answered
 */
export function askNextRound(asking: InteractiveCall, request: Request, done: (text: string) => void): void {
  const { id, params } = request;
  const state = params.requestState === undefined ? INITIAL_STATE : unseal(params.requestState);
  if (state === undefined) return fail(id, -32602, 'Invalid requestState');
  const rounds = asking.rounds(params.arguments ?? {}, declaredCapabilities(params));
  const questions = rounds[state.round] ?? {};
  const responses = params.inputResponses ?? {};
  const answers = { ...state.answers, ...pickAnswers(responses, Object.keys(questions)) };
  const isAnswered = Object.entries(questions).every(([key, question]) =>
    isValidAnswer(question, answers[key]),
  );
  const round = isAnswered ? state.round + 1 : state.round;
  const next = rounds[round];
  if (next === undefined || Object.keys(next).length === 0) return done(asking.text(answers));
  const lacking = Object.values(next).find((question) => !isCapabilityDeclared(question, params));
  if (lacking !== undefined) return refuseQuestion(request, lacking);
  const stored = isAnswered ? answers : state.answers;
  requestInput(
    id,
    toInputRequests(next),
    seal({ round, answers: stored, nonce: randomBytes(8).toString('hex') }),
  );
}

function toInputRequests(questions: Questions): object {
  return Object.fromEntries(
    Object.entries(questions).map(([key, { method, params }]) => [key, { method, params }]),
  );
}

function pickAnswers(responses: Answers, keys: readonly string[]): Answers {
  return Object.fromEntries(Object.entries(responses).filter(([key]) => keys.includes(key)));
}

function declaredCapabilities(params: Params): Readonly<Record<string, unknown>> {
  const declared: Readonly<Record<string, unknown>> = Object(envelopeMember(params, 'clientCapabilities'));
  return declared;
}

function isCapabilityDeclared({ method }: Question, params: Params): boolean {
  return declaredCapabilities(params)[REQUIRED_CAPABILITY[method]] !== undefined;
}

function refuseQuestion({ id }: Request, { method }: Question): void {
  const data = { requiredCapabilities: { [REQUIRED_CAPABILITY[method]]: {} } };
  write(lineOf({ id, error: { code: -32021, message: `the client does not take ${method}`, data } }));
}

function seal(state: RequestState): string {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${text}.${sign(text)}`;
}

function unseal(sealedState: string): RequestState | undefined {
  const [text = '', signature] = sealedState.split('.');
  if (signature !== sign(text)) return undefined;
  const state: RequestState = JSON.parse(Buffer.from(text, 'base64url').toString());
  return state;
}

function sign(text: string): string {
  return createHmac('sha256', SIGNING_KEY).update(text).digest('base64url');
}
