import process from 'node:process';
import { Writable } from 'node:stream';
import { createInterface, type Interface } from 'node:readline/promises';

import { writeStderr } from '../base/terminal-output.js';
import { terminalText } from '../base/terminal-text.js';
import { CommandError } from './command-error.js';

/** A terminal prompt. Writes questions to stderr, because stdout carries data. */
export class Prompt {
  readonly reader: Interface = createInterface({ input: process.stdin, output: process.stderr });

  ask(question: string, signal: AbortSignal): Promise<string> {
    return this.reader.question(terminalText(question), { signal });
  }
}

/**
 * Asks the user for a line of text, and trims it.
 *
 * @throws CommandError REFUSED after Ctrl-C or at the end of input
 */
export async function askText(question: string): Promise<string> {
  const prompt = new Prompt();
  const abortController = new AbortController();
  prompt.reader.on('SIGINT', () => abortController.abort());
  prompt.reader.on('close', () => abortController.abort());
  try {
    return (await prompt.ask(question, abortController.signal)).trim();
  } catch {
    throw new CommandError('REFUSED', 'nothing was written.');
  } finally {
    prompt.reader.close();
  }
}

/**
 * Asks the user for a line of text, such as a secret, without echoing it.
 *
 * @throws CommandError REFUSED after Ctrl-C or at the end of input
 */
export async function askHidden(question: string): Promise<string> {
  const mutedOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: mutedOutput, terminal: true });
  const abortController = new AbortController();
  reader.on('SIGINT', () => abortController.abort());
  reader.on('close', () => abortController.abort());
  writeStderr(question);
  try {
    return await reader.question('', { signal: abortController.signal });
  } catch {
    throw new CommandError('REFUSED', 'nothing was saved.');
  } finally {
    reader.close();
    writeStderr('\n');
  }
}
