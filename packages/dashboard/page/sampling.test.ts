import { expect, it } from 'vitest';

import { formOf } from './schema/fields.js';
import { readForm } from './schema/reading.js';
import { answerOf, answerSchema, samplingView } from './sampling.js';

it('each message has its role and its kind', () => {
  const messages = [
    { role: 'user', content: { type: 'text', text: 'Well?' } },
    { role: 'assistant', content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
    { role: 'user', content: { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' } },
    { role: 'assistant', content: { type: 'tool_use', id: '1', name: 'weather', input: {} } },
    { role: 'user', content: 'text' },
    'no message',
  ];
  expect(samplingView({ messages }).messages).toMatchObject([
    { head: 'user · text', kind: 'text', text: 'Well?' },
    { head: 'assistant · image', kind: 'picture', type: 'image/png' },
    { head: 'user · audio', kind: 'file', type: 'audio/wav' },
    { head: 'assistant · tool_use', kind: 'text', text: expect.stringContaining('"weather"') },
    { head: 'user · no content block', text: '"text"' },
    { head: 'no message', text: '"no message"' },
  ]);
});

it('all that a server asks of the model is shown', () => {
  const shown = samplingView({
    systemPrompt: 'Be brief',
    maxTokens: 100,
    temperature: 0.5,
    stopSequences: ['END'],
    includeContext: 'thisServer',
    metadata: { a: 1 },
    toolChoice: { mode: 'auto' },
    tools: [{ name: 'weather' }],
    modelPreferences: { hints: [{ name: 'small' }, { name: 'fast' }], costPriority: 0.3, other: 1 },
    unheard: true,
    _meta: { 'dev.mcpmux/server': 'a' },
  });
  expect(shown).toMatchObject({ systemPrompt: 'Be brief', messages: [], maxTokens: 100 });
  expect(shown.tools).toContain('"weather"');
  expect(shown.facts).toEqual([
    ['Most tokens of the answer', '100'],
    ['Temperature', '0.5'],
    ['Stop sequences', '["END"]'],
    ['Context', 'thisServer'],
    ['Metadata', '{"a":1}'],
    ['Choice of tools', '{"mode":"auto"}'],
    ['unheard', 'true'],
    ['Preferred models', 'small, fast'],
    ['Priority of cost', '0.3'],
    ['other', '1'],
  ]);
});

it('params of another shape are shown as they are', () => {
  const shown = samplingView({
    messages: 'text',
    systemPrompt: 7,
    modelPreferences: ['x'],
    maxTokens: 'all',
  });
  expect(shown).toMatchObject({
    systemPrompt: '7',
    messages: [{ head: 'not a list of messages', text: '"text"' }],
    facts: [
      ['Most tokens of the answer', 'all'],
      ['Preferred models', '["x"]'],
    ],
    maxTokens: undefined,
  });
  expect(samplingView({ modelPreferences: { hints: 'x' } }).facts).toEqual([['Preferred models', 'x']]);
  expect(samplingView({ maxTokens: -1 }).maxTokens).toBeUndefined();
});

it('an answer has at most the tokens that the server allows', () => {
  const form = formOf(answerSchema(2));
  expect([...readForm(form, ['12345678']).faults]).toEqual([]);
  expect([...readForm(form, ['123456789']).faults.values()]).toEqual([
    'At most 8 characters are allowed, and 9 are here.',
  ]);
  expect(readForm(formOf(answerSchema(undefined)), ['']).faults.size).toBe(1);
});

it('a person is no model', () => {
  expect(answerOf({ 'The answer of the model': 'Yes' })).toEqual({
    role: 'assistant',
    content: { type: 'text', text: 'Yes' },
    model: 'a person on the page of mcpmux',
    stopReason: 'endTurn',
  });
});
