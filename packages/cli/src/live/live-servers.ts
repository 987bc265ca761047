import { type LoadedConfig, type LoadedServer, type Selection, wantedServers } from '@mcpmux/config';

import type { Announcement } from './announcement.js';
import { connectInstance, instanceServing } from './instances.js';
import { folderContext } from './instance-folder.js';
import type { LiveOptions, LiveServers, Outcome } from './outcome.js';
import { statesOf, type ServerState } from './server-state.js';

/** Connects to the mcpmux that serves the config, or starts the servers here if none answers or `fresh` is set. */
export async function liveServers(config: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const connectedServers = options.fresh === true ? undefined : await servedServers(config, options.only);
  // Loading the mux code takes time, so only a command that starts servers loads it.
  return connectedServers ?? (await import('./start-here.js')).startInThisProcess(config, options);
}

/** Connects to the mcpmux that serves the config. Resolves to undefined if no such mcpmux answers. */
export async function servedServers(
  config: LoadedConfig,
  only?: readonly string[],
): Promise<LiveServers | undefined> {
  const instance = instanceServing(config.file, folderContext());
  const connection = instance === undefined ? undefined : await connectInstance(instance);
  if (instance === undefined || connection === undefined) return undefined;
  const states = await statesOf(connection);
  const outcomes = outcomesIn(config, states, instance).filter(
    ({ name }) => only === undefined || only.includes(name),
  );
  return {
    connection,
    outcomes,
    states,
    instance,
    [Symbol.asyncDispose]: () => {
      connection.close();
      return Promise.resolve();
    },
  };
}

/** Returns the outcome of each server in a config, from the states that the instance serving the config reports. */
export function outcomesIn(
  config: LoadedConfig,
  states: readonly ServerState[],
  { pid, selection = {} }: Pick<Announcement, 'pid' | 'selection'>,
): readonly Outcome[] {
  // The instance's profile may no longer exist in the current config. In that case, it selects no servers.
  const selectedNames = new Set(wantedServers(config, selection).servers.map(({ name }) => name));
  const instanceText = `the running mcpmux (pid ${pid})`;
  return config.servers.map((server) =>
    selectedNames.has(server.name)
      ? outcomeOfServer(server, states, `${instanceText} does not have the server: mcpmux reload`)
      : outcomeOfServer(
          { name: server.name, status: 'not_selected' },
          states,
          `${instanceText} was started with ${selectionFlags(selection)}`,
        ),
  );
}

function selectionFlags({ only, profile }: Selection): string {
  const flags = [
    ...(only === undefined ? [] : [`--only ${only.join(',')}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ];
  return flags.join(' ');
}

/** @param absentReason the reason to report if the instance does not have the server */
function outcomeOfServer(
  { name, status }: { readonly name: string; readonly status: LoadedServer['status'] | 'not_selected' },
  states: readonly ServerState[],
  absentReason: string,
): Outcome {
  const state = states.find((candidate) => candidate.name === name);
  const outcome = state && outcomeOfState(state);
  if (outcome !== undefined) return outcome;
  switch (status) {
    case 'ready':
      return { kind: 'not_loaded', name, reason: absentReason };
    case 'not_selected':
      return { kind: status, name, reason: absentReason };
    case 'disabled':
      return { kind: status, name };
    case 'misconfigured':
      return { kind: 'failed', name };
  }
}

/** Returns the outcome for a registered server, or undefined for a status that this version does not know. */
function outcomeOfState(state: ServerState): Outcome | undefined {
  const { name, status, problem } = state;
  switch (status) {
    case 'running':
    case 'idle':
      // An idle server counts as running: its tools stay listed, and the next call starts it.
      return { kind: 'running', name, state };
    case 'starting':
      return { kind: status, name };
    case 'crashed':
      return { kind: status, name, reason: problem ?? 'it crashed' };
    case 'failed':
      return { kind: status, name, reason: problem };
    default:
      return undefined;
  }
}
