import { expect, it } from 'vitest';

import { askedBy } from './asker.js';

const NAMES = ['a', 'b', 'a] b'];

function elicited(message: unknown, server?: string) {
  return askedBy({ method: 'elicitation/create', params: { message } }, { server, names: NAMES });
}

function sampled(params: object, server?: string) {
  return askedBy({ method: 'sampling/createMessage', params: { ...params } }, { server, names: NAMES });
}

it('the server of an elicitation is the one that mcpmux names before its message', () => {
  expect(elicited('[b] Name?', 'a')).toEqual({ asker: 'b', message: 'Name?' });
  expect(elicited('[b] Name?')).toEqual({ asker: 'b', message: 'Name?' });
  expect(elicited('[a] b] Name?')).toEqual({ asker: 'a] b', message: 'Name?' });
});

it('a message that begins with the name of another server does not speak for that server', () => {
  expect(elicited('[a] [b] Name?', 'a')).toEqual({ asker: 'a', message: '[b] Name?' });
  expect(elicited('[a] b] Name?', 'a')).toEqual({ asker: 'a', message: 'b] Name?' });
});

it('a question without a name is one of the server that the page uses', () => {
  expect(elicited('[nobody] Name?', 'a')).toEqual({ asker: 'a', message: '[nobody] Name?' });
  expect(elicited(7, 'mcpmux')).toEqual({ asker: 'mcpmux', message: '' });
  expect(elicited('Name?').asker).toBe('A server behind mcpmux');
});

it('the server of a sampling request is the one in its _meta', () => {
  expect(sampled({ _meta: { 'dev.mcpmux/server': 'b' } }, 'a').asker).toBe('b');
  for (const about of [undefined, 'text', {}, { 'dev.mcpmux/server': 7 }])
    expect(sampled({ _meta: about }, 'a').asker).toBe('a');
  expect(sampled({}).asker).toBe('A server behind mcpmux');
});
