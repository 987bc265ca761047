import { messageOf } from '@mcpmux/core';

import { checkedValue } from '../../registry/input-value.js';
import type { SourceInput } from '../../registry/server-source.js';
import { printable } from '../../terminal/columns.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { usage } from '../../terminal/command-error.js';

/** The number of times that a person may enter a value before the command fails. */
const TRIES = 5;
/** The largest number of values of one input. */
const MAX_VALUES = 100;

type Ask = (question: string) => Promise<string>;

/**
 * Returns the question for the value of an input. It contains the description, the accepted values, and the value of an
 * empty answer.
 */
export function questionOf({ id, description, isRequired, fallback, ...rules }: SourceInput): string {
  const about = description === '' ? '' : ` (${printable(description)})`;
  const { choices = [], format, placeholder } = rules;
  const shown = choices.map(printable).join(', ');
  const taken = choices.length > 0 ? `, one of: ${shown}` : hintOf(format, placeholder);
  const unset = isRequired ? '' : ' [none]';
  const empty = fallback === undefined ? unset : ` [${printable(fallback)}]`;
  return `${id}${about}${taken}${empty}: `;
}

function hintOf(format: SourceInput['format'], placeholder: string | undefined): string {
  if (placeholder !== undefined && placeholder !== '') return `, such as ${printable(placeholder)}`;
  if (format === 'number') return ', a number';
  if (format === 'boolean') return ', true or false';
  return '';
}

/**
 * Asks for the value of an input, and asks again after a value that the input does not accept. An input with several
 * values is asked for until the answer is empty.
 *
 * @throws CommandError USAGE after too many wrong answers
 */
export async function askValue(
  context: CommandContext,
  input: SourceInput,
  { text: ask }: { readonly text: Ask },
): Promise<string | undefined> {
  const first = await validValue(context, input, ask, questionOf(input));
  if (first === undefined || input.isRepeated !== true) return first;
  const values = [first];
  while (values.length < MAX_VALUES) {
    const next = await validValue(context, input, ask, `another ${input.id} [no more]: `);
    if (next === undefined) break;
    values.push(next);
  }
  return values.join('\n');
}

async function validValue(
  context: CommandContext,
  input: SourceInput,
  ask: Ask,
  question: string,
): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(question);
    if (answer === '') return undefined;
    try {
      return checkedValue(input.id, input, answer, context.cwd);
    } catch (error) {
      const problem = printable(messageOf(error));
      if (tries === TRIES) throw usage(problem, `pass the value: -e ${input.id}=VALUE`);
      printNote(context, problem);
    }
  }
}
