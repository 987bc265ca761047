import { expect, it } from 'vitest';

import { itemForm, suggestionParams } from './item-form.js';
import { formOf } from './schema/fields.js';

it('a prompt has a field for each argument, with its description and its mark', () => {
  const entry = {
    name: 's__greet',
    arguments: [
      { name: 'who', description: 'The guest', required: true },
      { name: 'tone', title: 'Tone of voice' },
    ],
  };
  const { schema, ref, params } = itemForm('prompts', entry);
  expect(formOf(schema)).toMatchObject({
    fields: [
      { name: 'who', title: 'who', description: 'The guest', isRequired: true, kind: 'text' },
      { name: 'tone', title: 'Tone of voice', isRequired: false },
    ],
  });
  expect(ref).toEqual({ type: 'ref/prompt', name: 's__greet' });
  expect(params({ who: 'Ada' })).toEqual({ name: 's__greet', arguments: { who: 'Ada' } });
});

it('a template has a field for each variable, and makes the address of a resource', () => {
  const { schema, ref, params } = itemForm('resourceTemplates', { uriTemplate: 'a://{id}/{+path}{?tag*}' });
  expect(formOf(schema)).toMatchObject({
    fields: [
      { name: 'id', kind: 'text', isRequired: false },
      { name: 'path', kind: 'text' },
      { name: 'tag', kind: 'list' },
    ],
  });
  expect(ref).toEqual({ type: 'ref/resource', uri: 'a://{id}/{+path}{?tag*}' });
  expect(params({ id: 'ä 1', path: 'b/c', tag: ['x', 'y'] })).toEqual({
    uri: 'a://%C3%A4%201/b/c?tag=x&tag=y',
  });
});

it('a resource is read at its own address', () => {
  expect(itemForm('resources', { uri: 'a:b' }).params({})).toEqual({ uri: 'a:b' });
});

it.each([[undefined], ['text'], [{}], [[null, 7, {}, { name: 7 }, { name: '' }]]])(
  'arguments that have no name are no fields: %j',
  (list) => {
    expect(formOf(itemForm('prompts', { name: 'p', arguments: list }).schema)).toMatchObject({ fields: [] });
  },
);

it('a template that is no text has no fields', () => {
  const { schema, params } = itemForm('resourceTemplates', { uriTemplate: 7 });
  expect(formOf(schema)).toMatchObject({ fields: [] });
  expect(params({})).toEqual({ uri: '' });
});

it('suggestions are asked for with the values of the other arguments', () => {
  const ref = { type: 'ref/prompt', name: 'p' };
  const argument = { name: 'b', value: 'x' };
  expect(suggestionParams(ref, argument, { a: '1', b: 'x', c: ['2'] })).toEqual({
    ref,
    argument,
    context: { arguments: { a: '1' } },
  });
  expect(suggestionParams(ref, argument, { b: 'x' })).toEqual({ ref, argument });
});
