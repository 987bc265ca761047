import { PassThrough } from 'node:stream';

import { createMux, HOST, nullLogger, type Logger, type Mux, type ServerStatus } from '@mcpmux/core';

import { chainVariable, withVariables } from '../config/config-chain.js';
import type { LoadedConfig, LoadedServer } from '../config/load-config.js';
import { thisProcess } from '../config/this-process.js';
import { toolView } from '../config/tool-view.js';
import { LoginFiles } from '../login/login-files.js';
import { VERSION } from '../base/version.js';
import { McpConnection } from './mcp-connection.js';

/** How the start of one server ended. */
export type StartOutcome =
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly status: ServerStatus;
      readonly startMs: number;
    }
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string; readonly startMs: number }
  | { readonly kind: 'disabled' | 'misconfigured'; readonly name: string };

/** A mux for the time of one command, with servers of a config. */
export interface ShortMux extends AsyncDisposable {
  readonly mux: Mux;
  readonly connection: McpConnection;
  /** In the order of the config. */
  readonly outcomes: readonly StartOutcome[];
}

/** Which servers are started, and how. */
export interface ShortMuxOptions {
  /** All when absent. */
  readonly only?: readonly string[] | undefined;
  readonly startTimeoutMs?: number | undefined;
  readonly logger?: Logger | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Starts the servers of a config, all at once, and waits until each runs or has failed. */
export async function startShortMux(
  { file, servers }: LoadedConfig,
  { only, startTimeoutMs, logger = nullLogger, environment }: ShortMuxOptions,
): Promise<ShortMux> {
  const limits = startTimeoutMs === undefined ? {} : { startTimeoutMs };
  const mux = createMux(
    { implementation: { name: 'mcpmux', version: VERSION }, limits },
    { logger, logins: new LoginFiles(thisProcess()) },
  );
  try {
    const wanted = servers.filter(({ name }) => only === undefined || only.includes(name));
    const chain = chainVariable(file, environment);
    const outcomes = await Promise.all(wanted.map((server) => start(mux, server, chain)));
    const connection = await connect(mux);
    return { mux, connection, outcomes, [Symbol.asyncDispose]: () => mux.close() };
  } catch (error) {
    await mux.close();
    throw error;
  }
}

async function start(
  mux: Mux,
  server: LoadedServer,
  chain: Readonly<Record<string, string>>,
): Promise<StartOutcome> {
  const { name } = server;
  if (server.status !== 'ready') return { kind: server.status, name };
  const before = performance.now();
  const elapsed = (): number => Math.round(performance.now() - before);
  try {
    const { config, tools } = server;
    const view = tools === undefined ? {} : { tools: toolView(tools) };
    // There is one session here, and what is wrong with a server is to be known before it.
    const wanted = { ...withVariables(config, chain), isolation: 'shared' } as const;
    const status = await mux.addServer(name, wanted, view);
    return { kind: 'running', name, status, startMs: elapsed() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', name, reason: reason.replace(/\nIt was not added\.$/, ''), startMs: elapsed() };
  }
}

function connect(mux: Mux): Promise<McpConnection> {
  const [toMux, fromMux] = [new PassThrough(), new PassThrough()];
  mux.connect({ input: toMux, output: fromMux }, { principal: HOST });
  return McpConnection.open(fromMux, toMux);
}
