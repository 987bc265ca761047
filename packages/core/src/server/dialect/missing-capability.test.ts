import { describe, expect, it } from 'vitest';

import { readMessage } from '@mcpmux/wire';
import { SERVER_MESSAGE_PATHS } from '../link/server-paths.js';
import { missingCapability } from './client-requests.js';

/** What is said about a request with these params to a client of these capabilities: code and capability. */
function missing(method: string, params: object, capabilities: Readonly<Record<string, unknown>>): string {
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const message = readMessage(line, SERVER_MESSAGE_PATHS);
  if (message.kind !== 'request') throw new Error('no request');
  const error = missingCapability(line, method, message.params, capabilities);
  if (error === undefined) return 'nothing';
  return `${error.code} ${/capability (\S+),/.exec(error.message)?.[1] ?? error.message}`;
}

const FORM_AND_URL = { form: {}, url: {} };

describe('what a client lacks for a request of a server', () => {
  it.each([
    ['S5: sampling/createMessage', {}, {}, '-32601 sampling'],
    ['S5: sampling/createMessage', {}, { sampling: {} }, 'nothing'],
    ['S5: sampling/createMessage', { tools: [] }, { sampling: {} }, '-32602 sampling.tools'],
    ['S5: sampling/createMessage', { toolChoice: {} }, { sampling: {} }, '-32602 sampling.tools'],
    ['S5: sampling/createMessage', { tools: [] }, { sampling: { tools: {} } }, 'nothing'],
    ['S6: roots/list', {}, { sampling: {} }, '-32601 roots'],
    ['S6: roots/list', {}, { roots: {} }, 'nothing'],
    ['S7: elicitation/create', {}, {}, '-32601 elicitation'],
    ['S7: elicitation/create', {}, { elicitation: {} }, 'nothing'],
    ['S7: elicitation/create', { mode: 'form' }, { elicitation: {} }, 'nothing'],
    ['S7: elicitation/create', { mode: 'url' }, { elicitation: {} }, '-32602 elicitation.url'],
    ['S7: elicitation/create', { mode: 'url' }, { elicitation: FORM_AND_URL }, 'nothing'],
    ['S7: elicitation/create', {}, { elicitation: FORM_AND_URL }, 'nothing'],
    ['S7: elicitation/create', {}, { elicitation: { url: {} } }, '-32602 elicitation.form'],
    ['S7: elicitation/create', { mode: 'url' }, { elicitation: { url: {} } }, 'nothing'],
    ['S8: tasks/get', {}, {}, '-32601 tasks'],
    ['S8: tasks/result', {}, {}, '-32601 tasks'],
    ['S8: tasks/list', {}, {}, '-32601 tasks'],
    ['S8: tasks/cancel', {}, {}, '-32601 tasks'],
    ['S8: tasks/get', {}, { tasks: {} }, 'nothing'],
    ['S12: x-vendor/ask', {}, {}, 'nothing'],
  ])('%s with %j and %j: %s', (title, params, capabilities, expected) => {
    expect(missing(title.replace(/^S\d+: /, ''), params, capabilities)).toBe(expected);
  });
});
