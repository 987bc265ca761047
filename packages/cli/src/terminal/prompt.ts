import process from 'node:process';
import { createInterface, type Interface } from 'node:readline/promises';

import { terminalText } from '../base/terminal-text.js';

/** Asks the person at the terminal, on stderr. */
export class Prompt {
  readonly reader: Interface = createInterface({ input: process.stdin, output: process.stderr });

  ask(question: string, signal: AbortSignal): Promise<string> {
    return this.reader.question(terminalText(question), { signal });
  }
}
