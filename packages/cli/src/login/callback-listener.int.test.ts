import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection } from 'node:net';

import { expect, it } from 'vitest';

import { CallbackListener } from './callback-listener.js';

const LONG = 60_000;

async function visit(listener: CallbackListener, query: string, path = '/callback'): Promise<number> {
  return (await fetch(`${listener.url.origin}${path}?${query}`)).status;
}

/** The answer, or why there is none. */
function outcome(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => String(error));
}

it('I18: the answer to this login is taken, and what belongs to no login is not', async () => {
  await using listener = await CallbackListener.open();
  expect(await visit(listener, 'code=c&state=early')).toBe(400);
  const answer = outcome(listener.waitForAnswer('right', LONG));
  expect(await visit(listener, 'code=evil&state=wrong')).toBe(400);
  expect(await visit(listener, 'code=evil')).toBe(400);
  expect(await visit(listener, 'code=evil&state=right', '/other')).toBe(404);
  expect(await visit(listener, 'code=c&state=right&iss=https%3A%2F%2Fa')).toBe(200);
  expect(await answer).toEqual({ code: 'c', state: 'right', iss: 'https://a' });
  expect(await visit(listener, 'code=c&state=right')).toBe(400);
});

it('I18: under another name this port answers nothing', async () => {
  await using listener = await CallbackListener.open();
  const answer = outcome(listener.waitForAnswer('s', LONG));
  const headers = { host: 'evil.example' };
  const status = await new Promise((resolve) => {
    request(`${listener.url.href}?code=c&state=s`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(404);
  await visit(listener, 'code=mine&state=s');
  expect(await answer).toMatchObject({ code: 'mine' });
});

it('a request whose target is no URL gets an answer', async () => {
  await using listener = await CallbackListener.open();
  const status = await new Promise((resolve) => {
    request({ host: listener.url.hostname, port: listener.url.port, path: '//' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(404);
});

it('a request of which half was sent does not keep the listener open', async () => {
  const listener = await CallbackListener.open();
  const { hostname, port } = listener.url;
  const connection = createConnection({ host: hostname, port: Number(port) });
  connection.on('error', () => undefined);
  connection.write(`GET /callback HTTP/1.1\r\nhost: ${listener.url.host}\r\n`);
  const ended = once(connection, 'close');
  // The listener has read the half when it answers a later connection.
  await visit(listener, '');
  await listener[Symbol.asyncDispose]();
  await expect(ended).resolves.toBeDefined();
});

it.each([
  ['error=access_denied', 'Error: the login was refused (access_denied)'],
  ['error=%3Cscript%3E', 'Error: the login was refused (without a reason)'],
])('a refusal is told: %s', async (query, reported) => {
  await using listener = await CallbackListener.open();
  const answer = outcome(listener.waitForAnswer('s', LONG));
  await visit(listener, `${query}&state=s`);
  expect(await answer).toBe(reported);
});

it('nobody is waited for for ever', async () => {
  await using listener = await CallbackListener.open();
  expect(await outcome(listener.waitForAnswer('s', 6))).toBe('Error: no answer came within 0.0001 minutes');
});
