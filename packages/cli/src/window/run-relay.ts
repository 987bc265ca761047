import process from 'node:process';

import { messageOf } from '@mcpmux/core';
import { Relay } from '@mcpmux/relay';
import { ExitCode } from '../base/exit-code.js';
import { writeStderr } from '../base/terminal-output.js';
import { thisProcess } from '../config/this-process.js';
import { folderContext } from '../live/instance-folder.js';
import { readVariableRules } from './config-variables.js';
import { SharedProcessError } from './shared-process.js';
import { parseWindowArguments } from './window-arguments.js';
import { sharedEnvironment } from './window-environment.js';
import { WindowProcess } from './window-process.js';

/**
 * Relays messages between the client on stdin and stdout and a shared process. Returns the exit code.
 *
 * @param argv the command-line arguments after the program name
 */
export async function runRelay(argv: readonly string[]): Promise<number> {
  process.stderr.on('error', () => undefined);
  const {
    argv: [node = process.execPath, script = ''],
    execArgv,
    pid,
  } = process;
  const cwd = process.cwd();
  const { args, isPerFolder, search } = parseWindowArguments(argv, cwd, process.env);
  const rules = await readVariableRules({ ...thisProcess(), ...search });
  const environment = sharedEnvironment(process.env, rules);
  const program = [node, ...execArgv] as const;
  const folder = isPerFolder ? cwd : undefined;
  try {
    const windowProcess = new WindowProcess({
      sharing: { program, args, folder, environment },
      context: folderContext(),
      program: [...program, script],
      cwd,
      pid,
      warn: printWarning,
    });
    const budget = new RestartBudget();
    const relay = new Relay({
      client: { input: process.stdin, output: process.stdout },
      connect: (window) => windowProcess.connect(window),
      wasStopped: () => windowProcess.isStopped,
      nextPauseMs: () => budget.nextPauseMs(performance.now()),
    });
    if ((await relay.run()) === 'client gone') return ExitCode.Ok;
    printWarning(
      `the shared mcpmux has ended too often, and is not started again. Its log: ${windowProcess.logFile}`,
    );
    return ExitCode.Failed;
  } catch (error) {
    printWarning(messageOf(error));
    return error instanceof SharedProcessError ? (error.exitCode ?? ExitCode.Failed) : ExitCode.Internal;
  }
}

function printWarning(text: string): void {
  writeStderr(`mcpmux: ${text}\n`);
}

const MAX_RESTARTS = 10;
const RESTART_PERIOD_MS = 60_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 1000;

/** Limits how many times and how often a relay restarts a shared process that ends unexpectedly. */
export class RestartBudget {
  private recentRestarts: readonly number[] = [];

  /**
   * Returns the delay before the next restart, in milliseconds. A killed process accepts connections until it has
   * ended, so without a delay, the relay could connect to it again.
   *
   * @returns undefined after ten restarts within a minute
   */
  nextPauseMs(nowMs: number): number | undefined {
    this.recentRestarts = [...this.recentRestarts.filter((at) => nowMs - at < RESTART_PERIOD_MS), nowMs];
    const { length } = this.recentRestarts;
    return length > MAX_RESTARTS ? undefined : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (length - 1));
  }
}
