import { type LoadedConfig, type LoadedServer, toolView } from '@mcpmux/config';
import type { ReadyServer } from '@mcpmux/config/follow';
import { createMux, HOST, type Mux, messageOf } from '@mcpmux/core';
import { memoryChannels } from '@mcpmux/wire';

import { ApprovalFile } from '../files/approval-file.js';
import { thisProcess } from '../config/this-process.js';
import { VERSION } from '../base/version.js';
import { loginsOf } from '../cluster/logins-of.js';
import { type LastRuns, lastRuns } from '../config/last-runs.js';
import { CommandValues } from './command-value.js';
import { McpConnection } from './mcp-connection.js';
import type { LiveOptions, LiveServers, Outcome } from './outcome.js';
import { serverSandbox } from './server-sandbox.js';
import { parseServerState, statesOf, type ServerState } from './server-state.js';

/** A mux in this process, and the last runs of its servers. */
interface Here extends LastRuns {
  readonly mux: Mux;
  readonly options: LiveOptions;
}

/**
 * Registers the servers of a config with a mux in this process. Resolves when each server that is started runs or has
 * failed.
 */
export async function startInThisProcess(config: LoadedConfig, options: LiveOptions): Promise<LiveServers> {
  const { only, timeout, environment } = options;
  const limits = timeout === undefined ? {} : { startTimeoutMs: timeout };
  const values = new CommandValues(new ApprovalFile(thisProcess()));
  const mux = createMux(
    { implementation: { name: 'mcpmux', version: VERSION }, limits },
    {
      logins: loginsOf(config),
      sandbox: serverSandbox(config.file),
      commandValue: (command, start) => values.value(command, start),
    },
  );
  try {
    const here: Here = { mux, ...lastRuns(config, environment), options };
    const wanted = config.servers.filter(({ name }) => only === undefined || only.includes(name));
    const first = await Promise.all(
      wanted.map((server) => outcomeHere(server.name, server.status, here, wanted.length)),
    );
    const [near, far] = memoryChannels();
    mux.connect(far, { principal: HOST });
    const connection = new McpConnection(near);
    const states = await statesOf(connection);
    save(here);
    const outcomes = first.map((outcome) => withState(outcome, states));
    return { connection, outcomes, states, [Symbol.asyncDispose]: () => mux.close() };
  } catch (error) {
    await mux.close();
    throw error;
  }
}

async function outcomeHere(
  name: string,
  status: LoadedServer['status'],
  here: Here,
  all: number,
): Promise<Outcome> {
  const server = here.servers.find((candidate) => candidate.name === name);
  const outcome: Outcome =
    server === undefined
      ? { kind: status === 'disabled' ? status : 'failed', name }
      : await registerServer(server, here);
  here.options.onOutcome?.(outcome, all);
  return outcome;
}

/** Starts a server, unless its saved lists are enough. */
async function registerServer({ name, config, tools }: ReadyServer, here: Here): Promise<Outcome> {
  const { starts = 'all' } = here.options;
  const remembered = starts === 'all' ? undefined : here.memory.recall(name, config);
  const before = performance.now();
  try {
    const added = await here.mux.addServer(
      name,
      // Shared, because this process has only one session, and a server's errors must be known before that session
      // opens.
      { ...config, isolation: 'shared', lazy: remembered !== undefined },
      {
        ...(tools !== undefined && { tools: toolView(tools) }),
        ...(remembered !== undefined && { remembered }),
      },
    );
    const state = parseServerState(added);
    if (remembered !== undefined) return { kind: 'remembered', name, tools: state.tools };
    return { kind: 'running', name, state, startMs: Math.round(performance.now() - before) };
  } catch (error) {
    const reason = messageOf(error);
    return { kind: 'crashed', name, reason: reason.replace(/\nIt was not added\.$/, '') };
  }
}

/** Returns an outcome with the current state. A server may have ended, and its tools may have other names now. */
function withState(outcome: Outcome, states: readonly ServerState[]): Outcome {
  if (outcome.kind !== 'running' && outcome.kind !== 'remembered') return outcome;
  const { name } = outcome;
  const state = states.find((candidate) => candidate.name === name);
  const reason = 'the server ended right after its start';
  if (state === undefined) return { kind: 'crashed', name, reason };
  return outcome.kind === 'running' ? { ...outcome, state } : { ...outcome, tools: state.tools };
}

/** Saves the lists of the servers that were started. A failure only makes the next command slower. */
function save({ mux, memory, servers }: Here): void {
  try {
    const configs = new Map(servers.map(({ name, config }) => [name, config]));
    memory.keep(configs, (name) => mux.remember(name));
  } catch {
    // The state folder cannot be written.
  }
}
