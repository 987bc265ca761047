import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

import type { Selection } from '@mcpmux/config';
import { HOST, MuxError, type Mux } from '@mcpmux/core';

import { writeAtomically } from '../files/atomic-write.js';
import { VERSION } from '../base/version.js';
import type { Announcement } from './announcement.js';
import { CallStats, type CallSummary } from './call-stats.js';
import type {
  ControlQuestion,
  ControlRequest,
  Opening,
  SharedCommand,
  WindowOpening,
} from './control-line.js';
import { streamEvents } from './event-stream.js';
import { FirstLines, MAX_COMMAND, type Beginning } from './first-lines.js';
import { instanceFolder, leaveFolder, makePrivate, processPlaces, socketPath } from './instance-folder.js';

/** The dependencies of an instance. */
export interface InstanceComponents {
  readonly mux: Pick<Mux, 'connect' | 'events' | 'on' | 'listServers' | 'reloadServer' | 'removeServer'>;
  /** The config that it serves. */
  readonly config?: string | undefined;
  /** The servers of the config that it starts. */
  readonly selection?: Selection | undefined;
  /** Reads the config again. Resolves with the changes, as plain data. */
  readonly reloadConfig: () => Promise<object>;
  /** The page of the instance; absent where it has none. */
  readonly page?: PageHost | undefined;
  /** Present where windows share this process. */
  readonly shared?: SharedInstance | undefined;
}

/** Serves the page of an instance. */
export interface PageHost {
  /** The calls so far, by server. */
  summaries: () => Readonly<Record<string, CallSummary>>;
  /** A url that opens the page once. The page is served from the first one on. */
  link(isReadOnly: boolean): Promise<string>;
}

/** The parts of an instance that windows share. */
export interface SharedInstance {
  /** Path of the socket that windows connect to. */
  readonly socket: string;
  onWindow(connection: Socket, opening: WindowOpening): void;
  /** Another mcpmux comes to a window, which has this number. */
  onVisitor(connection: Socket, window: number): void;
  answer(command: SharedCommand): object;
}

/** Listens for commands of this user, and is announced until it is closed. */
export interface InstanceHost {
  readonly announcement: Announcement;
  /** Ends the announcement, and accepts no further connection. Those that are open stay. */
  leave(): void;
  close(): void;
}

/** The parts that a connection can reach. */
type Reachable = InstanceComponents & { readonly stats: CallStats };

/** Connections of commands and other instances at a time; further ones are closed at once. */
const MAX_CONNECTIONS = 256;

/**
 * Makes this process reachable for `mcpmux list`, `call`, `logs` and others of the same user.
 *
 * @throws Error when there is no private place for a socket
 */
export async function hostInstance(components: InstanceComponents): Promise<InstanceHost> {
  try {
    return await hostOnce(components);
  } catch (error) {
    // The last other instance has just removed the folder.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return hostOnce(components);
    throw error;
  }
}

async function hostOnce(components: InstanceComponents): Promise<InstanceHost> {
  const places = processPlaces();
  const folder = instanceFolder(places);
  makePrivate(folder, places);
  const id = `${process.pid}-${randomBytes(3).toString('hex')}`;
  const { config, selection, shared } = components;
  const socket = shared?.socket ?? socketPath(folder, id, places.platform);
  const sockets = new Set<Socket>();
  const stats = new CallStats();
  const stops = counted(components.mux, stats);
  if (components.page !== undefined) components.page.summaries = () => stats.summary();
  const server = listener(sockets, { ...components, stats });
  await once(server.listen(socket), 'listening');
  if (shared !== undefined && places.platform !== 'win32') chmodSync(socket, 0o600);
  // mcpmux goes on when a connection cannot be accepted.
  server.on('error', () => undefined);
  server.unref();
  const file = join(folder, `${id}.json`);
  const announcement: Announcement = {
    id,
    pid: process.pid,
    socket,
    version: VERSION,
    started: Date.now(),
    cwd: process.cwd(),
    ...(shared !== undefined && { shared: true }),
    ...(config !== undefined && { config }),
    ...(selection !== undefined && { selection: { ...selection, only: selection.only?.slice() } }),
  };
  writeAtomically(file, JSON.stringify(announcement));
  const leave = (): void => {
    rmSync(file, { force: true });
    server.close();
  };
  return {
    announcement,
    leave,
    close: () => {
      for (const stop of stops) stop();
      leave();
      for (const connection of sockets) connection.destroy();
      leaveFolder(folder, places);
    },
  };
}

/** Counts the calls of a mux. Returns the functions that end it. */
function counted(mux: InstanceComponents['mux'], stats: CallStats): readonly (() => void)[] {
  return [
    mux.on('call:start', ({ server }) => stats.began(server)),
    mux.on('call:end', (call) => stats.ended(call.server, call)),
    mux.on('server:removed', ({ server }) => {
      // Another layer may have a server with this name.
      const isLeft = mux.listServers({ everywhere: true }).some(({ name }) => name === server);
      if (!isLeft) stats.forget(server);
    }),
  ];
}

/** Accepts connections, which are bounded in number: all of them, and those that say nothing. */
function listener(sockets: Set<Socket>, components: Reachable): Server {
  const firstLines = new FirstLines();
  // A window that sends no more still gets its answers.
  const server = createServer({ allowHalfOpen: components.shared !== undefined }, (connection) => {
    sockets.add(connection);
    connection.on('close', () => sockets.delete(connection));
    connection.on('error', () => connection.destroy());
    firstLines.add(connection, (first) => onConnection(connection, first, components));
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

/** A connection carries one command, or an MCP session. */
function onConnection(connection: Socket, first: Beginning, components: Reachable): void {
  switch (first.kind) {
    case 'command':
      if (isOpening(first.request)) return openSession(connection, first.request, first.rest, components);
      // Whatever a command ends in, its caller learns by the end of the connection, and nobody else.
      onCommand(first.request, connection, components).catch(() => connection.destroy());
      return;
    case 'too-long': {
      const message = `No server has a name of more than ${MAX_COMMAND} bytes.`;
      connection.end(`${JSON.stringify({ error: { code: 'SERVER_NOT_FOUND', message } })}\n`).resume();
      return;
    }
    case 'session':
      connection.pause();
      connection.unshift(first.bytes);
      // Guards do not apply to the user who runs mcpmux.
      components.mux.connect({ input: connection, output: connection }, { principal: HOST });
      connection.resume();
  }
}

function isOpening(request: ControlRequest): request is Opening {
  return ['window', 'session', 'beside'].includes(request.command);
}

function openSession(
  connection: Socket,
  opening: Opening,
  rest: Buffer | undefined,
  { mux, shared }: Reachable,
): void {
  if (shared === undefined) return void connection.destroy();
  connection.pause();
  if (rest !== undefined) connection.unshift(rest);
  if (opening.command === 'window') shared.onWindow(connection, opening);
  else if (opening.command === 'beside') shared.onVisitor(connection, opening.window);
  else mux.connect({ input: connection, output: connection }, { principal: HOST, workspace: opening.cwd });
  connection.resume();
}

async function onCommand(
  request: Exclude<ControlRequest, Opening>,
  connection: Socket,
  components: Reachable,
): Promise<void> {
  connection.on('end', () => connection.end()).resume();
  if (request.command !== 'events') {
    connection.end(`${JSON.stringify(await answerTo(request, components))}\n`);
    return;
  }
  await streamEvents(connection, components.mux, { after: request.after });
}

async function answerTo(
  question: ControlQuestion,
  { mux, stats, reloadConfig, shared, page }: Reachable,
): Promise<object> {
  switch (question.command) {
    case 'page':
      return page === undefined
        ? NO_PAGE
        : orRefusal(async () => ({ url: await page.link(question.isReadOnly) }));
    case 'calls':
      return stats.summary();
    case 'reload-config':
      return reloadConfig();
    case 'windows':
    case 'stop':
    case 'restart-shared':
    case 'hand-over':
      return shared?.answer(question.command) ?? NOT_SHARED;
    case 'restart':
      return orRefusal(async () => {
        const { status, tools } = await mux.reloadServer(question.name);
        return { status, tools: tools.length };
      });
    case 'remove':
      return orRefusal(async () => {
        await mux.removeServer(question.name);
        return { status: 'removed', tools: 0 };
      });
  }
}

const NO_PAGE = { error: { code: 'FAILED', message: 'this mcpmux has no page' } };
const NOT_SHARED = { error: { code: 'FAILED', message: 'no windows share this mcpmux' } };

async function orRefusal(work: () => Promise<object>): Promise<object> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code: error instanceof MuxError ? error.code : 'FAILED', message } };
  }
}
