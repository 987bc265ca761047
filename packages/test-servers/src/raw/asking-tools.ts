import { answerComplete, requestInput, sendProgress } from './modern-server.js';
import { answer, textResult } from './output.js';
import type { Request, Tool, ToolCall } from './raw-server.js';

/** An elicitation whose form asks for a name. */
export const FORM_REQUEST = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const URL_REQUEST = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Log in', url: 'https://a.example/\u0041?b=1' },
};
/** A sampling request. */
export const SAMPLING_REQUEST = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Well?' } }], maxTokens: 7 },
};
const ROOTS_REQUEST = { method: 'roots/list' };
/** A request state with an escape, a slash and a non-ASCII letter, which the client must return unchanged. */
const REQUEST_STATE = 'st\u00e4te/1 "quoted" \\ end';
const roundLines: string[] = [];

function answerJson(id: string | number, value: unknown): void {
  answerComplete(id, textResult(JSON.stringify(value)));
}

function askOnce(entries: object): (call: Request) => void {
  return ({ id, params: { inputResponses, requestState } }) => {
    if (inputResponses === undefined) requestInput(id, entries, REQUEST_STATE);
    else answerJson(id, { inputResponses, isSame: requestState === REQUEST_STATE });
  };
}

function askRounds(call: ToolCall): void {
  const { id, params, line } = call;
  roundLines.push(line.toString());
  const round = Number(params.requestState ?? 0) + 1;
  sendProgress(call, round === 2 ? 1 : round, 3);
  if (round <= 3) return requestInput(id, { [`r${round}`]: FORM_REQUEST }, String(round));
  const lines = roundLines.splice(0);
  answerComplete(id, { content: lines.map((text) => ({ type: 'text', text })) });
}

/** Asks a question with the message from the call's arguments. */
function askWithMessage({ id, arguments: { message }, params: { inputResponses } }: ToolCall): void {
  if (inputResponses === undefined)
    requestInput(id, { who: { ...FORM_REQUEST, params: { ...FORM_REQUEST.params, message } } });
  else answerJson(id, { message, inputResponses });
}

/** The tools of the fixture `modern-asking`, one for each kind of round. */
export const ASKING_TOOLS: readonly Tool[] = [
  { name: 'form', call: askOnce({ who: FORM_REQUEST }) },
  { name: 'named', input: { message: 'string' }, call: askWithMessage },
  { name: 'url', call: askOnce({ login: URL_REQUEST }) },
  { name: 'sample', call: askOnce({ model: SAMPLING_REQUEST }) },
  { name: 'roots', call: askOnce({ where: ROOTS_REQUEST }) },
  { name: 'all', call: askOnce({ a: FORM_REQUEST, b: SAMPLING_REQUEST, c: ROOTS_REQUEST }) },
  { name: 'several', input: { note: 'string' }, call: askRounds },
  {
    name: 'state_only',
    call: ({ id, params: { requestState } }) =>
      requestState === undefined
        ? requestInput(id, undefined, REQUEST_STATE)
        : answerJson(id, { isSame: requestState === REQUEST_STATE }),
  },
  { name: 'for_ever', call: ({ id }) => requestInput(id, { again: FORM_REQUEST }, 'x') },
  { name: 'odd', call: ({ id }) => answer(id, { ...textResult('odd'), resultType: 'vendor' }) },
];
