import type { Announcement } from '../live/announcement.js';
import { folderContext } from '../live/instance-folder.js';
import { connectInstance, runningInstances } from '../live/instances.js';
import type { McpConnection } from '../live/mcp-connection.js';
import { printNote, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configToRead, type ConfigFlags } from '../config/config-choice.js';

/** Flags of a command that needs a running mcpmux. */
export interface InstanceFlags extends ConfigFlags {
  /** The process id of the mcpmux to use. */
  readonly pid?: number;
}

/**
 * Selects the running mcpmux for a command: the instance that `--pid` names, otherwise the newest instance that serves
 * the config, otherwise the only instance.
 *
 * @throws CommandError NOT_RUNNING if the selection finds none
 */
export function selectRunningInstance(context: CommandContext, flags: InstanceFlags): Announcement {
  const instances = runningInstances(folderContext());
  if (flags.pid !== undefined) return instanceWithPid(flags.pid);
  const [newest, ...others] = instances.filter(servesConfigOf(context, flags));
  if (newest?.config !== undefined && others.length > 0) {
    const pids = others.map(({ pid }) => pid).join(', ');
    printNote(context, `The newest mcpmux with this config has pid ${newest.pid}; others: --pid ${pids}`);
  }
  const found = newest ?? (instances.length === 1 ? instances[0] : undefined);
  if (found !== undefined) return found;
  throw notRunningError(
    instances.length === 0 ? 'no mcpmux is running.' : 'no running mcpmux serves this config.',
    instances,
  );
}

/**
 * Returns the running mcpmux that has this process id.
 *
 * @throws CommandError NOT_RUNNING if there is none
 */
export function instanceWithPid(pid: number): Announcement {
  const instances = runningInstances(folderContext());
  const match = instances.find((instance) => instance.pid === pid);
  if (match !== undefined) return match;
  throw notRunningError(`no mcpmux is running with pid ${pid}.`, instances);
}

/** Returns a predicate that checks whether an instance serves the config that these flags select. */
export function servesConfigOf(context: CommandContext, flags: ConfigFlags): (one: Announcement) => boolean {
  const file = configToRead(context, flags)?.file;
  return ({ config }) => config === file;
}

/**
 * Connects to a running mcpmux.
 *
 * @throws CommandError NOT_RUNNING if the mcpmux has just ended or does not answer
 */
export async function requireConnection(instance: Announcement): Promise<McpConnection> {
  const connection = await connectInstance(instance);
  if (connection !== undefined) return connection;
  throw notRunningError(`the mcpmux with pid ${instance.pid} does not answer.`, []);
}

function notRunningError(message: string, instances: readonly Announcement[]): CommandError {
  return new CommandError('NOT_RUNNING', message, {
    details: instances.map(({ pid, config, cwd }) => `pid ${pid}: ${config ?? cwd}`),
    next:
      instances.length === 0
        ? 'start a client that has mcpmux, or register mcpmux in one: mcpmux install'
        : 'choose a mcpmux with --pid; mcpmux list --all shows all of them',
  });
}
