import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { colours } from '../../terminal/colours.js';
import type { CommandContext, CommonFlags } from '../../terminal/command-context.js';

/** A home folder of its own, in which commands are run in this process. */
export class TemporaryHome implements Disposable {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'mcpmux-commands-')));
  /** The file that commands write to without a flag. */
  readonly config = join(this.home, '.config', 'mcpmux', 'config.json');
  private printed = '';
  private reported = '';

  constructor(private readonly environment: Readonly<Record<string, string>> = {}) {}

  /** What was printed to stdout since the last look. */
  get out(): string {
    const text = this.printed;
    this.printed = '';
    return text;
  }

  /** What was told on stderr since the last look. */
  get err(): string {
    const text = this.reported;
    this.reported = '';
    return text;
  }

  /** A command line that nobody sits at, with `--yes`. */
  context(flags: CommonFlags = {}): CommandContext {
    const plain = colours(false, {});
    return {
      flags: { yes: true, ...flags },
      cwd: this.home,
      home: this.home,
      platform: 'linux',
      environment: { HOME: this.home, ...this.environment },
      streams: {
        out: (text) => void (this.printed += text),
        err: (text) => void (this.reported += text),
        data: (text) => void (this.printed += text),
        redraw: () => undefined,
        whenStdoutReady: () => Promise.resolve(),
        isInteractive: false,
        outColours: plain,
        stderrColours: plain,
        columns: Number.POSITIVE_INFINITY,
      },
    };
  }

  /** The path of a file in it. */
  path(...words: readonly string[]): string {
    return join(this.home, ...words);
  }

  write(name: string, content: string | object): string {
    const file = this.path(name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
    return file;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  list(folder: string): readonly string[] {
    return readdirSync(this.path(folder)).toSorted();
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
