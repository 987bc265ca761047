import process from 'node:process';

import { terminalText } from '../base/terminal-text.js';

const ENTER = '\u001B[?1049h\u001B[?25l';
const LEAVE = '\u001B[?25h\u001B[?1049l';
const HOME = '\u001B[H';
const CLEAR_LINE = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';

/** The alternate screen of a terminal. Disposing it restores the previous contents. */
export class TerminalScreen implements Disposable {
  private shown = '';
  private isBehind = false;

  private readonly streams = { input: process.stdin, output: process.stdout };

  /** @param onChange called when the size of the terminal has changed */
  constructor(
    onKeys: (input: string) => void,
    private readonly onChange: () => void,
  ) {
    const { input, output } = this.streams;
    output.write(ENTER);
    input.setRawMode(true);
    input.setEncoding('utf8').on('data', onKeys).resume();
    output.on('resize', this.resized);
  }

  get columns(): number {
    return this.streams.output.columns;
  }

  get rows(): number {
    return this.streams.output.rows;
  }

  /** Draws lines over the previous lines, unless they are equal. */
  draw(lines: readonly string[]): void {
    const text = lines.map((line) => terminalText(line) + CLEAR_LINE).join('\r\n');
    if (text === this.shown || this.isBehind) return;
    this.shown = text;
    const { output } = this.streams;
    this.isBehind = !output.write(`${HOME}${text}${CLEAR_BELOW}`);
    // Until the terminal has taken one screen, only the latest of the next screens is kept.
    if (this.isBehind) output.once('drain', this.drained);
  }

  [Symbol.dispose](): void {
    const { input, output } = this.streams;
    output.off('resize', this.resized).off('drain', this.drained);
    input.setRawMode(false);
    input.removeAllListeners('data').pause();
    output.write(LEAVE);
  }

  private readonly drained = (): void => {
    this.isBehind = false;
    this.onChange();
  };

  private readonly resized = (): void => {
    this.shown = '';
    this.onChange();
  };
}
