import process from 'node:process';

import { terminalText } from '../base/terminal-text.js';

const ENTER_SCREEN = '\u001B[?1049h\u001B[?25l';
const LEAVE_SCREEN = '\u001B[?25h\u001B[?1049l';
const CURSOR_HOME = '\u001B[H';
const CLEAR_LINE = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';

/** The terminal's alternate screen. Disposal restores the previous contents. */
export class TerminalScreen implements Disposable {
  private lastText = '';
  private isWriting = false;

  private readonly streams = { input: process.stdin, output: process.stdout };

  /** @param onChange called when the caller should draw again: after a resize, or after a slow write */
  constructor(
    onKeys: (input: string) => void,
    private readonly onChange: () => void,
  ) {
    const { input, output } = this.streams;
    output.write(ENTER_SCREEN);
    input.setRawMode(true);
    input.setEncoding('utf8').on('data', onKeys).resume();
    output.on('resize', this.handleResize);
  }

  get columns(): number {
    return this.streams.output.columns;
  }

  get rows(): number {
    return this.streams.output.rows;
  }

  /** Draws the lines, unless they are unchanged or the previous write is still in progress. */
  draw(lines: readonly string[]): void {
    const text = lines.map((line) => terminalText(line) + CLEAR_LINE).join('\r\n');
    if (text === this.lastText || this.isWriting) return;
    this.lastText = text;
    const { output } = this.streams;
    this.isWriting = !output.write(`${CURSOR_HOME}${text}${CLEAR_BELOW}`);
    // A slow terminal skips intermediate screens. After the drain, `onChange` makes the caller draw the latest one.
    if (this.isWriting) output.once('drain', this.handleDrain);
  }

  [Symbol.dispose](): void {
    const { input, output } = this.streams;
    output.off('resize', this.handleResize).off('drain', this.handleDrain);
    input.setRawMode(false);
    input.removeAllListeners('data').pause();
    output.write(LEAVE_SCREEN);
  }

  private readonly handleDrain = (): void => {
    this.isWriting = false;
    this.onChange();
  };

  private readonly handleResize = (): void => {
    this.lastText = '';
    this.onChange();
  };
}
