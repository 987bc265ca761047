import { answerComplete, askInput, progressOf } from './modern-server.js';
import { answer, textResult } from './output.js';
import type { Request, Tool, ToolCall } from './raw-server.js';

/** An elicitation with a form that asks for a name. */
export const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const URL = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Log in', url: 'https://a.example/\u0041?b=1' },
};
/** A sampling request for the client's model. */
export const SAMPLING = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }], maxTokens: 7 },
};
const ROOTS = { method: 'roots/list' };
/** A request state with an escape, a slash and a non-ASCII letter, which the client must return unchanged. */
const STATE = 'st\u00e4te/1 "quoted" \\ end';
const rounds: string[] = [];

function answerJson(id: string | number, value: unknown): void {
  answerComplete(id, textResult(JSON.stringify(value)));
}

function askOnce(entries: object): (call: Request) => void {
  return ({ id, params: { inputResponses, requestState } }) => {
    if (inputResponses === undefined) askInput(id, entries, STATE);
    else answerJson(id, { inputResponses, isSame: requestState === STATE });
  };
}

function askRounds(call: ToolCall): void {
  const { id, params, line } = call;
  rounds.push(line.toString());
  const round = Number(params.requestState ?? 0) + 1;
  progressOf(call, round === 2 ? 1 : round, 3);
  if (round <= 3) return askInput(id, { [`r${round}`]: FORM }, String(round));
  const lines = rounds.splice(0);
  answerComplete(id, { content: lines.map((text) => ({ type: 'text', text })) });
}

/** Asks with the message in the call's arguments. */
function askWithMessage({ id, arguments: { message }, params: { inputResponses } }: ToolCall): void {
  if (inputResponses === undefined) askInput(id, { who: { ...FORM, params: { ...FORM.params, message } } });
  else answerJson(id, { message, inputResponses });
}

/** The tools of the fixture `modern-asking`, one for each kind of round. */
export const ASKING_TOOLS: readonly Tool[] = [
  { name: 'form', call: askOnce({ who: FORM }) },
  { name: 'named', input: { message: 'string' }, call: askWithMessage },
  { name: 'url', call: askOnce({ login: URL }) },
  { name: 'sample', call: askOnce({ model: SAMPLING }) },
  { name: 'roots', call: askOnce({ where: ROOTS }) },
  { name: 'all', call: askOnce({ a: FORM, b: SAMPLING, c: ROOTS }) },
  { name: 'several', input: { note: 'string' }, call: askRounds },
  {
    name: 'state_only',
    call: ({ id, params: { requestState } }) =>
      requestState === undefined
        ? askInput(id, undefined, STATE)
        : answerJson(id, { isSame: requestState === STATE }),
  },
  { name: 'for_ever', call: ({ id }) => askInput(id, { again: FORM }, 'x') },
  { name: 'odd', call: ({ id }) => answer(id, { ...textResult('odd'), resultType: 'vendor' }) },
];
