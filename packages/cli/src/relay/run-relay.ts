import process from 'node:process';

import { messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';
import { thisProcess } from '../config/this-process.js';
import { processPlaces } from '../live/instance-folder.js';
import { configVariables } from './config-variables.js';
import { Relay } from './relay.js';
import { RestartBudget } from './restart-budget.js';
import { SharedProcessError } from './shared-process.js';
import { windowArguments } from './window-arguments.js';
import { sharedEnvironment } from './window-environment.js';
import { WindowProcess } from './window-process.js';

/**
 * Serves the client on stdin and stdout through a process that windows share. Returns the exit code.
 *
 * @param argv the command line after the name of the program
 */
export async function runRelay(argv: readonly string[]): Promise<number> {
  process.stderr.on('error', () => undefined);
  const {
    argv: [node = process.execPath, script = ''],
    execArgv,
    pid,
  } = process;
  const cwd = process.cwd();
  const { args, isPerFolder, search } = windowArguments(argv, cwd, process.env);
  const rules = await configVariables({ ...thisProcess(), ...search });
  const environment = sharedEnvironment(process.env, rules);
  const program = [node, ...execArgv] as const;
  const folder = isPerFolder ? cwd : undefined;
  try {
    const windowProcess = new WindowProcess({
      sharing: { program, args, folder, environment },
      places: processPlaces(),
      program: [...program, script],
      cwd,
      pid,
      warn,
    });
    const budget = new RestartBudget();
    const relay = new Relay({
      client: { input: process.stdin, output: process.stdout },
      connect: (window) => windowProcess.connect(window),
      isStopped: () => windowProcess.isStopped,
      pause: () => budget.spend(performance.now()),
    });
    if ((await relay.run()) === 'client gone') return ExitCode.Ok;
    warn(`the shared mcpmux has ended too often, and is not started again. Its log: ${windowProcess.log}`);
    return ExitCode.Failed;
  } catch (error) {
    warn(messageOf(error));
    return error instanceof SharedProcessError ? (error.exitCode ?? ExitCode.Failed) : ExitCode.Internal;
  }
}

function warn(text: string): void {
  writeErr(`mcpmux: ${text}\n`);
}
