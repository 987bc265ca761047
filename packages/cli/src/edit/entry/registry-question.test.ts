import { expect, it } from 'vitest';

import type { SourceInput } from '../../registry/server-source.js';
import { processContext, type CommandContext } from '../../terminal/command-context.js';
import { askValue, inputQuestion } from './registry-question.js';

const INPUT: SourceInput = {
  id: 'ID',
  description: '',
  isRequired: true,
  isSecret: false,
  fallback: undefined,
};

it.each<[Partial<SourceInput>, string]>([
  [{}, 'ID: '],
  [{ description: 'The id', isRequired: false }, 'ID (The id) [none]: '],
  [{ fallback: 'x' }, 'ID [x]: '],
  [{ choices: ['a', 'b'], fallback: 'a' }, 'ID, one of: a, b [a]: '],
  [{ placeholder: '8080', format: 'number' }, 'ID, such as 8080: '],
  [{ format: 'number' }, 'ID, a number: '],
  [{ format: 'boolean' }, 'ID, true or false: '],
])('an input with %j is asked for by %j', (more, question) => {
  expect(inputQuestion({ ...INPUT, ...more })).toBe(question);
});

/** Answers one question after the other. */
function person(...answers: readonly string[]) {
  const [left, reported, asked]: [string[], string[], string[]] = [[...answers], [], []];
  const { streams, ...rest } = processContext({});
  const context: CommandContext = {
    ...rest,
    streams: { ...streams, err: (text) => void reported.push(text) },
  };
  const text = async (question: string): Promise<string> => {
    asked.push(question);
    return left.shift() ?? '';
  };
  return { context, text, reported, asked };
}

it('a value that the input does not take is asked for again, with the reason', async () => {
  const { context, text: promptText, reported } = person('many', '2');
  expect(await askValue(context, { ...INPUT, format: 'number' }, { promptText })).toBe('2');
  expect(reported.join('')).toContain('ID is a number, not "many".');
});

it('too many wrong values end the command with the next step', async () => {
  const { context, text: promptText } = person('a', 'b', 'c', 'd', 'e', '2');
  await expect(askValue(context, { ...INPUT, format: 'number' }, { promptText })).rejects.toThrow(
    'ID is a number',
  );
});

it('an input that takes several values is asked for until the answer is empty', async () => {
  const { context, text: promptText, asked } = person('a', 'b', '', 'c');
  expect(await askValue(context, { ...INPUT, isRepeated: true }, { promptText })).toBe('a\nb');
  expect(asked).toEqual(['ID: ', 'another ID [no more]: ', 'another ID [no more]: ']);
});
