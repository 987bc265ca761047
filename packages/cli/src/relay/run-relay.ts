import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import process from 'node:process';

import { messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import { homeFolder } from '../base/home-folder.js';
import { writeErr } from '../base/terminal-output.js';
import { VERSION } from '../base/version.js';
import { controlLine } from '../live/control-line.js';
import { processPlaces } from '../live/instance-folder.js';
import { Relay, type WindowState } from './relay.js';
import { RestartBudget } from './restart-budget.js';
import { sharedAddress } from './shared-address.js';
import { connectShared, SharedProcessError } from './shared-process.js';
import { windowArguments } from './window-arguments.js';
import { sharedEnvironment } from './window-environment.js';

/**
 * Serves the client on stdin and stdout through a process that windows share. Returns the exit code.
 *
 * @param argv the command line behind the name of the program
 */
export async function runRelay(argv: readonly string[]): Promise<number> {
  process.stderr.on('error', () => undefined);
  const {
    argv: [node = process.execPath, script = ''],
    execArgv,
    pid,
  } = process;
  const cwd = process.cwd();
  const places = processPlaces();
  const { args, isPerFolder } = windowArguments(argv, cwd, process.env);
  const environment = sharedEnvironment(process.env);
  const program = [node, ...execArgv] as const;
  const folder = isPerFolder ? cwd : undefined;
  try {
    const address = sharedAddress({ program, args, folder, environment }, places);
    const start = {
      program: [...program, script, 'serve', '--shared-socket', address.socket, ...args] as const,
      cwd: folder ?? homeFolder(),
      environment,
    };
    const connect = (window: WindowState): Promise<Socket> =>
      connectShared({
        address,
        places,
        start,
        version: VERSION,
        opening: (version) =>
          controlLine({ command: 'window', cwd, pid, ...window, ...(version !== undefined && { version }) }),
      });
    const budget = new RestartBudget();
    const relay = new Relay({
      client: { input: process.stdin, output: process.stdout },
      connect,
      isStopped: () => existsSync(address.stopped),
      pause: () => budget.spend(performance.now()),
    });
    if ((await relay.run()) === 'client gone') return ExitCode.Ok;
    writeErr(
      `mcpmux: the shared mcpmux has ended too often, and is not started again. Its log: ${address.log}\n`,
    );
    return ExitCode.Failed;
  } catch (error) {
    writeErr(`mcpmux: ${messageOf(error)}\n`);
    return error instanceof SharedProcessError ? (error.exitCode ?? ExitCode.Failed) : ExitCode.Internal;
  }
}
