import { createHmac, randomBytes } from 'node:crypto';

import type { Params } from '../raw/message.js';
import { askInput, envelopeOf } from '../raw/modern-server.js';
import { fail, lineOf, write } from '../raw/output.js';
import type { Request } from '../raw/raw-server.js';
import type { Asking } from './asking-tools.js';
import { isAnswer, NEEDED, type Answers, type Question, type Questions } from './questions.js';

/** The state that a client brings back: its answers in earlier rounds, and the number of these rounds. */
interface State {
  readonly round: number;
  readonly answers: Answers;
  readonly nonce: string;
}

const KEY = randomBytes(32);
const FIRST: State = { round: 0, answers: {}, nonce: '' };

/**
 * Asks the client of a request what is left to ask, in the way of 2026-07-28.
 *
 * @param done - gets the text once everything is answered
 */
export function play(asking: Asking, request: Request, done: (text: string) => void): void {
  const { id, params } = request;
  const state = params.requestState === undefined ? FIRST : opened(params.requestState);
  if (state === undefined) return fail(id, -32602, 'Invalid requestState');
  const rounds = asking.rounds(params.arguments ?? {}, declaredBy(params));
  const questions = rounds[state.round] ?? {};
  const responses = params.inputResponses ?? {};
  const answers = { ...state.answers, ...pick(responses, Object.keys(questions)) };
  const isAnswered = Object.entries(questions).every(([key, question]) => isAnswer(question, answers[key]));
  const round = isAnswered ? state.round + 1 : state.round;
  const next = rounds[round];
  if (next === undefined || Object.keys(next).length === 0) return done(asking.text(answers));
  const lacking = Object.values(next).find((question) => !isDeclared(question, params));
  if (lacking !== undefined) return refuse(request, lacking);
  const given = isAnswered ? answers : state.answers;
  askInput(id, askedFor(next), sealed({ round, answers: given, nonce: randomBytes(8).toString('hex') }));
}

function askedFor(questions: Questions): object {
  return Object.fromEntries(
    Object.entries(questions).map(([key, { method, params }]) => [key, { method, params }]),
  );
}

function pick(responses: Answers, keys: readonly string[]): Answers {
  return Object.fromEntries(Object.entries(responses).filter(([key]) => keys.includes(key)));
}

function declaredBy(params: Params): Readonly<Record<string, unknown>> {
  const declared: Readonly<Record<string, unknown>> = Object(envelopeOf(params, 'clientCapabilities'));
  return declared;
}

function isDeclared({ method }: Question, params: Params): boolean {
  return declaredBy(params)[NEEDED[method]] !== undefined;
}

function refuse({ id }: Request, { method }: Question): void {
  const data = { requiredCapabilities: { [NEEDED[method]]: {} } };
  write(lineOf({ id, error: { code: -32021, message: `the client does not take ${method}`, data } }));
}

function sealed(state: State): string {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${text}.${signed(text)}`;
}

function opened(sealedState: string): State | undefined {
  const [text = '', seal] = sealedState.split('.');
  if (seal !== signed(text)) return undefined;
  const state: State = JSON.parse(Buffer.from(text, 'base64url').toString());
  return state;
}

function signed(text: string): string {
  return createHmac('sha256', KEY).update(text).digest('base64url');
}
