import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

import { findProgram } from '@mcpmux/programs';

import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import type { ConfigFlags } from '../config/config-choice.js';
import { loadServers, requireServer } from './load-servers.js';

const INSPECTOR = '@modelcontextprotocol/inspector';

/** Runs the MCP Inspector on mcpmux with all servers of the config, or with one server. */
export const inspect: Action<ConfigFlags & { readonly print?: boolean }> = async (context, [name], flags) => {
  const { config } = loadServers(context, flags);
  if (name !== undefined) requireServer(config, name);
  const only = name === undefined ? [] : ['--only', name];
  const script = process.argv[1] ?? 'mcpmux';
  const command = [
    'npx',
    '-y',
    INSPECTOR,
    // Without `--`, the Inspector would interpret `--config` as its own option.
    '--',
    process.execPath,
    script,
    'serve',
    '--config',
    config.file,
    ...only,
  ];
  if (flags.print === true || context.flags.json === true) {
    printResult(context, { command }, command.join(' '));
    return ExitCode.Ok;
  }
  printNote(context, `Starting the MCP Inspector: ${command.join(' ')}`);
  return runCommand(command);
};

async function runCommand([command = '', ...args]: readonly string[]): Promise<number> {
  let child: ChildProcess;
  try {
    const program = await findProgram({ command, args, env: process.env });
    child = spawn(program.command, program.args, { ...program, stdio: 'inherit' });
    await once(child, 'exit');
  } catch {
    throw new CommandError('COMMAND_NOT_FOUND', `the command "${command}" was not found.`, {
      next: 'install Node.js with npm: https://nodejs.org',
    });
  }
  return child.exitCode ?? ExitCode.Failed;
}
