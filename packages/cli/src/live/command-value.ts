import type { CommandStart, Mux } from '@mcpmux/core';
import type { ApprovalStore } from '@mcpmux/core/guards';
import { escapeControls, maskArgs, messageOf } from '@mcpmux/core';
import { findProgram, programOutput, type ProgramOutput } from '@mcpmux/programs';

import { thisProcess } from '../config/this-process.js';
import { asCall, commandDigest, isApproved, maskedCommand } from './command-approvals.js';

const COMMAND_LIMITS = { timeoutMs: 30_000, maxBytes: 64 * 1024 };
/** The maximum number of stderr lines quoted in an error message. */
const STDERR_LINES = 5;
const MAX_LINE_LENGTH = 300;
/** How long an approval request remains open. */
const APPROVAL_TIMEOUT_MS = 24 * 3_600_000;
/** A server does not start on behalf of a particular client, so there is no client that could prompt its user. */
const NO_CLIENT = {
  takesForms: false,
  takesUrls: false,
  elicit: () => Promise.resolve({ problem: 'no client' }),
  urlVisited: () => undefined,
} as const;

/** Runs the commands whose output is a config value, provided that a person has approved them. */
export class CommandValues {
  /** The names of the servers that are waiting for a command's approval, by command digest. */
  private readonly waitingServers = new Map<string, Set<string>>();

  /** @param mux requests approvals and starts the waiting servers. If absent, approval is never requested. */
  constructor(
    private readonly store: Pick<ApprovalStore, 'has'>,
    private readonly mux?: Pick<Mux, 'approvals' | 'reloadServer'>,
  ) {}

  /** @throws Error if the command is not approved, fails or prints no value */
  async evaluate(command: readonly string[], { server, ...start }: CommandStart): Promise<string> {
    const isAllowed =
      this.mux?.approvals.isRemembered(commandDigest(command)) === true ||
      (await isApproved(this.store, command));
    if (!isAllowed) {
      this.requestApproval(server, command);
      throw new Error(
        `its config runs \`${maskedCommand(command)}\` for a value, and no person has approved this command. ` +
          'Ask the user to run: mcpmux approve',
      );
    }
    return runForValue(command, start);
  }

  /** Requests only one approval per command, even if several servers use it. Once approved, starts these servers. */
  private requestApproval(server: string, command: readonly string[]): void {
    const { mux, waitingServers } = this;
    const digest = commandDigest(command);
    const servers = waitingServers.get(digest);
    servers?.add(server);
    if (mux === undefined || servers !== undefined) return;
    const waitingNames = new Set([server]);
    waitingServers.set(digest, waitingNames);
    const options = { user: NO_CLIENT, signal: new AbortController().signal, timeoutMs: APPROVAL_TIMEOUT_MS };
    void mux.approvals.ask(asCall(server, command), options).then(async (verdict) => {
      waitingServers.delete(digest);
      if (verdict.kind === 'refused') return;
      mux.approvals.remember(digest);
      if (verdict.scope === 'always') await mux.approvals.store(digest, asCall(server, command));
      // Errors are ignored here, because each server's state reports its own.
      for (const name of waitingNames) await mux.reloadServer(name).catch(() => undefined);
    });
  }
}

async function runForValue(
  command: readonly string[],
  { started, signal }: Omit<CommandStart, 'server'>,
): Promise<string> {
  const [program = '', ...args] = command;
  const { environment, home } = thisProcess();
  let result: ProgramOutput;
  try {
    // The command runs in the home folder, because files of an untrusted repository must not influence it.
    const spec = await findProgram({ command: program, args, env: environment, cwd: home });
    result = await programOutput(spec, { ...COMMAND_LIMITS, signal }, started);
  } catch (error) {
    throw commandError(command, `cannot be run: ${messageOf(error)}`);
  }
  if (result.end !== 'exit' || result.code !== 0)
    throw commandError(command, `${describeEnd(result)}${describeStderr(result.stderr)}`);
  const value = result.stdout.replace(/\r?\n$/, '');
  if (value === '') throw commandError(command, `printed nothing${describeStderr(result.stderr)}`);
  if (value.includes('\0')) throw commandError(command, 'printed a NUL byte, which no value can have');
  return value;
}

function commandError(command: readonly string[], problem: string): Error {
  const shown = maskedCommand(command);
  return new Error(`the command \`${shown}\` of \${cmd:...} in its config ${problem}\nRun it in a terminal.`);
}

function describeEnd(result: ProgramOutput): string {
  switch (result.end) {
    case 'exit':
      return `exited with code ${result.code}`;
    case 'signal':
      return `was ended by ${result.signal}`;
    case 'aborted':
      return 'was ended, because the start of its server has ended';
    case 'timeout':
      return `did not end within ${COMMAND_LIMITS.timeoutMs / 1000} s; it cannot ask for input here`;
    case 'too-long':
      return `printed more than ${COMMAND_LIMITS.maxBytes / 1024} KB`;
  }
}

function describeStderr(stderr: string): string {
  const lines = stderr
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(-STDERR_LINES);
  if (lines.length === 0) return ', without a line on stderr.';
  const formattedLines = lines.map(
    (line) => `\n  ${escapeControls(maskArgs([line]).args.join('')).slice(0, MAX_LINE_LENGTH)}`,
  );
  return `. Its last lines on stderr:${formattedLines.join('')}`;
}
