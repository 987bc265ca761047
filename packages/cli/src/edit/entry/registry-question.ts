import { messageOf } from '@mcpmux/core';

import { normalizeValue } from '../../registry/input-value.js';
import type { SourceInput } from '../../registry/server-source.js';
import { printable } from '../../terminal/columns.js';
import { printNote, type CommandContext } from '../../terminal/command-context.js';
import { usageError } from '../../terminal/command-error.js';

/** The number of invalid answers after which the command fails. */
const MAX_TRIES = 5;
/** The maximum number of values for one input. */
const MAX_VALUES = 100;

type AskQuestion = (question: string) => Promise<string>;

/** Returns the question for an input, with its description, accepted values, and default for an empty answer. */
export function inputQuestion({ id, description, isRequired, fallback, ...rules }: SourceInput): string {
  const descriptionText = description === '' ? '' : ` (${printable(description)})`;
  const { choices = [], format, placeholder } = rules;
  const shown = choices.map(printable).join(', ');
  const acceptedText = choices.length > 0 ? `, one of: ${shown}` : formatHint(format, placeholder);
  const noneText = isRequired ? '' : ' [none]';
  const defaultText = fallback === undefined ? noneText : ` [${printable(fallback)}]`;
  return `${id}${descriptionText}${acceptedText}${defaultText}: `;
}

function formatHint(format: SourceInput['format'], placeholder: string | undefined): string {
  if (placeholder !== undefined && placeholder !== '') return `, such as ${printable(placeholder)}`;
  if (format === 'number') return ', a number';
  if (format === 'boolean') return ', true or false';
  return '';
}

/**
 * Asks for an input's value, and asks again after an invalid answer. If the input accepts several values, asks for more
 * until the answer is empty.
 *
 * @throws CommandError USAGE after too many invalid answers
 */
export async function askValue(
  context: CommandContext,
  input: SourceInput,
  { promptText: ask }: { readonly promptText: AskQuestion },
): Promise<string | undefined> {
  const first = await askValidValue(context, input, ask, inputQuestion(input));
  if (first === undefined || input.isRepeated !== true) return first;
  const values = [first];
  while (values.length < MAX_VALUES) {
    const next = await askValidValue(context, input, ask, `another ${input.id} [no more]: `);
    if (next === undefined) break;
    values.push(next);
  }
  return values.join('\n');
}

async function askValidValue(
  context: CommandContext,
  input: SourceInput,
  ask: AskQuestion,
  question: string,
): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(question);
    if (answer === '') return undefined;
    try {
      return normalizeValue(input.id, input, answer, context.cwd);
    } catch (error) {
      const problem = printable(messageOf(error));
      if (tries === MAX_TRIES) throw usageError(problem, `pass the value: -e ${input.id}=VALUE`);
      printNote(context, problem);
    }
  }
}
