import { isObject, type JsonObject } from '@mcpmux/clients';

import type { LoadedConfig, LoadedServer } from '../config/load-config.js';
import { wantedServers, type Selection } from '../config/wanted-servers.js';
import type { Announcement } from './announcement.js';
import { connectInstance, instanceOf } from './instances.js';
import { processPlaces } from './instance-host.js';
import type { McpConnection } from './mcp-connection.js';
import { parseServerState, type ServerState } from './server-state.js';
import { startShortMux, type ShortMuxOptions } from './short-mux.js';

/** How a server of the config fares. */
export type Outcome =
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly state: ServerState;
      readonly startMs?: number;
    }
  | { readonly kind: 'starting'; readonly name: string }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string }
  | { readonly kind: 'disabled' | 'misconfigured'; readonly name: string }
  /** The mcpmux that runs was told to start others of the config. */
  | { readonly kind: 'not_selected'; readonly name: string; readonly reason: string };

/** The servers of a config as they run: in a mcpmux that serves it, or in one for the time of this command. */
export interface LiveServers extends AsyncDisposable {
  readonly connection: McpConnection;
  /** In the order of the config. */
  readonly outcomes: readonly Outcome[];
  /** Every server, those of agents included. */
  readonly states: readonly ServerState[];
  /** The mcpmux that runs; undefined when this is one for the time of this command. */
  readonly instance?: Announcement;
}

/** How servers are come by. */
export interface LiveOptions extends ShortMuxOptions {
  /** They are started here even where a mcpmux serves the config. */
  readonly fresh?: boolean | undefined;
}

/** Connects to the mcpmux that serves the config, or starts its servers here. */
export async function liveServers(config: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const instance = options.fresh === true ? undefined : instanceOf(config.file, processPlaces());
  const connection = instance === undefined ? undefined : await connectInstance(instance);
  if (instance === undefined || connection === undefined) return startedHere(config, options);
  const states = await statesOf(connection);
  const outcomes = outcomesIn(config, states, instance).filter(
    ({ name }) => options.only === undefined || options.only.includes(name),
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

/** The servers of a mux, as `list_servers` tells. */
export async function statesOf(connection: McpConnection): Promise<readonly ServerState[]> {
  const { servers } = await connection.own('list_servers');
  const entries: readonly unknown[] = Array.isArray(servers) ? servers : [];
  return entries.filter(isObject).map((entry: JsonObject) => parseServerState(entry));
}

async function startedHere(config: LoadedConfig, options: ShortMuxOptions): Promise<LiveServers> {
  const short = await startShortMux(config, options);
  const states = await statesOf(short.connection);
  const outcomes = short.outcomes.map((outcome): Outcome => {
    if (outcome.kind === 'failed' || outcome.kind !== 'running') return outcome;
    const state = states.find(({ name }) => name === outcome.name);
    const reason = 'it ended right after its start';
    return state === undefined
      ? { kind: 'failed', name: outcome.name, reason }
      : { kind: 'running', name: outcome.name, state, startMs: outcome.startMs };
  });
  return {
    connection: short.connection,
    outcomes,
    states,
    [Symbol.asyncDispose]: () => short[Symbol.asyncDispose](),
  };
}

/** How the servers of a config fare in an instance that serves it. */
export function outcomesIn(
  config: LoadedConfig,
  states: readonly ServerState[],
  { pid, selection = {} }: Pick<Announcement, 'pid' | 'selection'>,
): readonly Outcome[] {
  // As the config is now: none for a profile that it does not have any more.
  const selected = new Set(wantedServers(config, selection).servers.map(({ name }) => name));
  const here = `the mcpmux that runs (pid ${pid})`;
  return config.servers.map((server) =>
    selected.has(server.name)
      ? outcomeOf(server, states, `${here} does not have it: mcpmux reload`)
      : outcomeOf(
          { name: server.name, status: 'not_selected' },
          states,
          `${here} was started with ${flagsOf(selection)}`,
        ),
  );
}

function flagsOf({ only, profile }: Selection): string {
  const flags = [
    ...(only === undefined ? [] : [`--only ${only.join(',')}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ];
  return flags.join(' ');
}

/** @param absent why an instance does not have it */
function outcomeOf(
  { name, status }: { readonly name: string; readonly status: LoadedServer['status'] | 'not_selected' },
  states: readonly ServerState[],
  absent: string,
): Outcome {
  const state = states.find((candidate) => candidate.name === name);
  // One that sleeps has its tools, and runs when it is called.
  if (state?.status === 'running' || state?.status === 'idle') return { kind: 'running', name, state };
  if (state?.status === 'starting') return { kind: 'starting', name };
  if (state?.status === 'crashed') return { kind: 'failed', name, reason: state.problem ?? 'it crashed' };
  switch (status) {
    case 'ready':
      return { kind: 'failed', name, reason: absent };
    case 'not_selected':
      return { kind: status, name, reason: absent };
    case 'disabled':
    case 'misconfigured':
      return { kind: status, name };
  }
}
