import { type LoadedConfig, type LoadedServer, toolView } from '@mcpmux/config';
import type { ReadyServer } from '@mcpmux/config/follow';
import { createMux, HOST, type Mux, messageOf } from '@mcpmux/core';
import { memoryChannels } from '@mcpmux/wire';

import { ApprovalFile } from '../files/approval-file.js';
import { thisProcess } from '../config/this-process.js';
import { VERSION } from '../base/version.js';
import { loginsOf } from '../cluster/logins-of.js';
import { type LastRuns, readLastRuns } from '../config/last-runs.js';
import { CommandValues } from './command-value.js';
import { McpConnection } from './mcp-connection.js';
import type { LiveOptions, LiveServers, Outcome } from './outcome.js';
import { serverSandbox } from './server-sandbox.js';
import { parseServerState, statesOf, type ServerState } from './server-state.js';

interface LocalMux extends LastRuns {
  readonly mux: Mux;
  readonly options: LiveOptions;
}

/**
 * Creates a mux in this process with a config's servers. Resolves once each server that it starts is running or has
 * failed. The mux closes when the result is disposed.
 */
export async function startInThisProcess(config: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const { only, timeout, environment } = options;
  const limits = timeout === undefined ? {} : { startTimeoutMs: timeout };
  const commandValues = new CommandValues(new ApprovalFile(thisProcess()));
  const mux = createMux(
    { implementation: { name: 'mcpmux', version: VERSION }, limits },
    {
      logins: loginsOf(config),
      sandbox: serverSandbox(config.file),
      commandValue: (command, start) => commandValues.evaluate(command, start),
    },
  );
  try {
    const localMux: LocalMux = { mux, ...readLastRuns(config, environment), options };
    const selectedServers = config.servers.filter(({ name }) => only === undefined || only.includes(name));
    const initialOutcomes = await Promise.all(
      selectedServers.map((server) =>
        startIfReady(server.name, server.status, localMux, selectedServers.length),
      ),
    );
    const [clientChannel, muxChannel] = memoryChannels();
    mux.connect(muxChannel, { principal: HOST });
    const connection = new McpConnection(clientChannel);
    const states = await statesOf(connection);
    saveLists(localMux);
    const outcomes = initialOutcomes.map((outcome) => withCurrentState(outcome, states));
    return { connection, outcomes, states, [Symbol.asyncDispose]: () => mux.close() };
  } catch (error) {
    await mux.close();
    throw error;
  }
}

async function startIfReady(
  name: string,
  status: LoadedServer['status'],
  localMux: LocalMux,
  total: number,
): Promise<Outcome> {
  const server = localMux.servers.find((candidate) => candidate.name === name);
  const outcome: Outcome =
    server === undefined
      ? { kind: status === 'disabled' ? status : 'failed', name }
      : await registerServer(server, localMux);
  localMux.options.onOutcome?.(outcome, total);
  return outcome;
}

/** Registers a server. A server with saved lists does not start unless `toStart` is `all`. */
async function registerServer({ name, config, tools }: ReadyServer, localMux: LocalMux): Promise<Outcome> {
  const { toStart = 'all' } = localMux.options;
  const remembered = toStart === 'all' ? undefined : localMux.memory.recall(name, config);
  const startTime = performance.now();
  try {
    const addedServer = await localMux.mux.addServer(
      name,
      // Every server is shared, even with `isolation: session`, because it must start before a session exists.
      { ...config, isolation: 'shared', lazy: remembered !== undefined },
      {
        ...(tools !== undefined && { tools: toolView(tools) }),
        ...(remembered !== undefined && { remembered }),
      },
    );
    const state = parseServerState(addedServer);
    if (remembered !== undefined) return { kind: 'remembered', name, tools: state.tools };
    return { kind: 'running', name, state, startMs: Math.round(performance.now() - startTime) };
  } catch (error) {
    const reason = messageOf(error);
    return { kind: 'crashed', name, reason: reason.replace(/\nIt was not added\.$/, '') };
  }
}

/** Updates an outcome. Meanwhile, the server may have ended, or its tools may have been renamed. */
function withCurrentState(outcome: Outcome, states: readonly ServerState[]): Outcome {
  if (outcome.kind !== 'running' && outcome.kind !== 'remembered') return outcome;
  const { name } = outcome;
  const state = states.find((candidate) => candidate.name === name);
  const reason = 'the server ended right after its start';
  if (state === undefined) return { kind: 'crashed', name, reason };
  return outcome.kind === 'running' ? { ...outcome, state } : { ...outcome, tools: state.tools };
}

/** Saves the started servers' lists. Ignores errors, because missing lists only slow down the next command. */
function saveLists({ mux, memory, servers }: LocalMux): void {
  try {
    const configs = new Map(servers.map(({ name, config }) => [name, config]));
    memory.saveLists(configs, (name) => mux.remember(name));
  } catch {
    // The state folder may be read-only.
  }
}
