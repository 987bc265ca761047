import { writeFileSync } from 'node:fs';
import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { isProcessAlive } from '../base/is-alive.js';
import type { Announcement } from '../live/announcement.js';
import { askInstance } from '../live/ask-instance.js';
import type { SharedMethod, SharingDigest, ConnectedWindow } from '../live/admin-methods.js';
import { folderContext } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { differentVariables } from '../window/sharing-digest.js';
import { sharedFiles } from '../window/shared-address.js';
import { printResult, printNote, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { formatDuration } from '../terminal/duration.js';

type Command = Exclude<SharedMethod, 'handOver'>;

/** Flags of the commands for shared processes. */
interface SharedProcessFlags {
  /** The process id of a shared process. Without this flag, the commands apply to all shared processes. */
  readonly pid?: number;
}

interface SharedProcess {
  readonly instance: Announcement;
  readonly windows: readonly Omit<ConnectedWindow, 'id'>[];
  /** True if the process accepts connections but does not answer. Its windows are then unknown. */
  readonly isSilent?: true;
  /** Digests of the settings that the process and its windows share. Absent if the request did not return them. */
  readonly sharingDigest?: SharingDigest | undefined;
}

/** The differences that prevent the windows of two processes from sharing one process. */
interface SharingDifference {
  /** The process id of the other process. */
  readonly pid: number;
  /** The names of the environment variables that differ. */
  readonly variables: readonly string[];
  /** True if the Node.js path, its options or mcpmux's options differ. */
  readonly options: boolean;
}

const ANSWER_TIMEOUT_MS = 5000;

/** Lists the shared processes and their windows. */
export const status: Action<SharedProcessFlags> = async (context, _words, flags) => {
  const all = await sendToAll('windows', flags);
  const data = all.map((one) => {
    const { instance, windows, isSilent } = one;
    return { ...instance, windows, apart: differences(one, all), ...(isSilent && { silent: true }) };
  });
  const texts = all.map((one) => sharedProcessText(context, one, differences(one, all)));
  printResult(context, data, texts.join('\n\n'));
  if (all.length === 0)
    printNote(context, 'No windows share a mcpmux. mcpmux list shows the servers of the config.');
  return ExitCode.Ok;
};

/** Ends the shared processes. A window starts a new process only when its client sends a message. */
export const stop: Action<SharedProcessFlags> = (context, _words, flags) =>
  endSharedProcesses('stop', context, flags);

/** Ends the shared processes. Their windows immediately start a new process. */
export const restart: Action<SharedProcessFlags> = (context, _words, flags) =>
  endSharedProcesses('restartShared', context, flags);

async function endSharedProcesses(
  command: Command,
  context: CommandContext,
  flags: SharedProcessFlags,
): Promise<number> {
  const processes = await sendToAll(command, flags);
  if (processes.length === 0)
    throw new CommandError('NOT_RUNNING', 'no windows share a mcpmux.', {
      next: 'mcpmux reload NAME restarts a server, mcpmux disable NAME keeps it from starting; mcpmux install CLIENT --shared lets windows share',
    });
  for (const { instance, isSilent } of processes) if (isSilent === true) killProcess(command, instance);
  const data = processes.map(({ instance: { pid }, windows }) => ({ pid, windows: windows.length }));
  const verb = command === 'stop' ? 'Stopped' : 'Restarted';
  printResult(context, data);
  for (const { pid, windows } of data) printNote(context, `${verb} mcpmux ${pid} (windows: ${windows})`);
  return ExitCode.Ok;
}

/** Sends a command to the selected shared processes. Returns only processes that responded or timed out. */
async function sendToAll(command: Command, { pid }: SharedProcessFlags): Promise<readonly SharedProcess[]> {
  const shared = runningInstances(folderContext()).filter(
    (instance) => instance.shared === true && (pid === undefined || instance.pid === pid),
  );
  const answers = await Promise.all(shared.map((instance) => sendToSharedProcess(instance, command)));
  return answers.flatMap((answer) => answer ?? []);
}

async function sendToSharedProcess(
  instance: Announcement,
  command: Command,
): Promise<SharedProcess | undefined> {
  const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await askInstance(instance, command, {}, limit).catch(() => undefined);
  if (answer === undefined) return limit.aborted ? { instance, windows: [], isSilent: true } : undefined;
  const windows = answer.windows.map(({ pid, cwd, since }) => ({ pid, cwd, since }));
  return { instance, windows, sharingDigest: answer.sharing };
}

/** Returns the differences between one process and each other process with the same config. */
function differences(
  { instance, sharingDigest }: SharedProcess,
  sharedProcesses: readonly SharedProcess[],
): readonly SharingDifference[] {
  if (sharingDigest === undefined) return [];
  return sharedProcesses.flatMap((other): readonly SharingDifference[] => {
    const { pid, config } = other.instance;
    if (other.sharingDigest === undefined || pid === instance.pid || config !== instance.config) return [];
    const options = other.sharingDigest.options !== sharingDigest.options;
    return [{ pid, variables: differentVariables(sharingDigest, other.sharingDigest), options }];
  });
}

/** Kills an unresponsive shared process. The process guard then ends the killed process's servers. */
function killProcess(command: Command, { pid, socket }: Announcement): void {
  if (command === 'stop')
    writeFileSync(sharedFiles(socket, folderContext()).stoppedFile, '', { mode: 0o600 });
  if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL');
}

function sharedProcessText(
  context: CommandContext,
  { instance, windows, isSilent }: SharedProcess,
  sharingDifferences: readonly SharingDifference[],
): string {
  const { bold, dim } = context.streams.outColours;
  const uptime = formatDuration((Date.now() - instance.started) / 1000);
  const { pid, version, config = 'without a config' } = instance;
  const rows = windows.map((window) => `  window of process ${window.pid} in ${window.cwd}`);
  const title = `${bold(`mcpmux ${pid}`)}  version ${version}  up ${uptime}  ${dim(config)}`;
  const empty = isSilent === true ? '  does not answer: mcpmux restart ends it' : '  no windows';
  return [title, ...(rows.length === 0 ? [empty] : rows), ...sharingDifferences.flatMap(differenceText)].join(
    '\n',
  );
}

function differenceText({ pid, variables, options }: SharingDifference): string | readonly [] {
  const reasons = [...variables, ...(options ? ['the options of Node.js or of mcpmux'] : [])];
  return reasons.length === 0 ? [] : `  does not share with mcpmux ${pid}, for ${reasons.join(', ')}`;
}
