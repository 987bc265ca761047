import type { Socket } from 'node:net';

import type { Selection } from '@mcpmux/config';
import { HOST, messageOf, MuxError, type Mux } from '@mcpmux/core';
import type { DashboardOptions } from '@mcpmux/dashboard';

import type { CallStats } from './call-stats.js';
import type {
  AnsweredApproval,
  Challenge,
  ControlQuestion,
  ControlRequest,
  Opening,
  SharedCommand,
  WindowOpening,
} from './control-line.js';
import { streamEvents } from './event-stream.js';
import { MAX_COMMAND, type Purpose } from './first-lines.js';

/** The dependencies of an instance. */
export interface InstanceComponents {
  readonly mux: Pick<
    Mux,
    | 'approvals'
    | 'connect'
    | 'events'
    | 'on'
    | 'listClients'
    | 'listServers'
    | 'reloadServer'
    | 'removeServer'
  >;
  /** The config that the instance serves. */
  readonly config?: string | undefined;
  /** Selects the config's servers that the instance starts. */
  readonly selection?: Selection | undefined;
  /** Reads the config again. Resolves with the changes, as plain data. */
  readonly reloadConfig: () => Promise<object>;
  /** The page of the instance. Absent if the instance has no page. */
  readonly page?: PageHost | undefined;
  /** Present if windows share this process. */
  readonly shared?: SharedInstance | undefined;
}

/** The calls of an instance so far, as its page reads them. */
export type PageCalls = Required<Pick<DashboardOptions, 'callsOf' | 'recentCalls'>>;

/** Serves the page of an instance. */
export interface PageHost {
  /** Receives the functions that read the calls so far. */
  reads(calls: PageCalls): void;
  /** Returns a URL that opens the page once. The page is served from the first link on. */
  link(isReadOnly: boolean): Promise<string>;
  /**
   * Returns a URL that opens the page once, and a file of this user that redirects a browser to the URL. The file
   * exists as long as the URL opens the page.
   */
  opening(isReadOnly: boolean): Promise<{ readonly url: string; readonly file: string }>;
}

/** The parts of an instance that windows share. */
export interface SharedInstance {
  /** Path of the socket that windows connect to. */
  readonly socket: string;
  onWindow(connection: Socket, opening: WindowOpening): void;
  /** Connects another mcpmux to the window with this number. */
  onVisitor(connection: Socket, window: number): void;
  answer(command: SharedCommand): object;
}

/** The parts that a connection can reach. */
export type Reachable = InstanceComponents & { readonly stats: CallStats };

/** Serves a connection according to its first line. The connection carries one command, or an MCP session. */
export function serveConnection(connection: Socket, first: Purpose, components: Reachable): void {
  switch (first.kind) {
    case 'command':
      if (isOpening(first.request)) return openSession(connection, first.request, first.rest, components);
      // If the command fails, its caller learns of the failure only by the end of the connection.
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
  request: Exclude<ControlRequest, Opening | Challenge>,
  connection: Socket,
  components: Reachable,
): Promise<void> {
  connection.on('end', () => connection.end()).resume();
  if (request.command !== 'events') {
    connection.end(`${JSON.stringify(await answerTo(request, components))}\n`);
    return;
  }
  await streamEvents(connection, components.mux, { after: request.after, details: request.details });
}

async function answerTo(
  question: ControlQuestion,
  { mux, stats, reloadConfig, shared, page }: Reachable,
): Promise<object> {
  switch (question.command) {
    case 'page':
      return page === undefined ? NO_PAGE : orRefusal(async () => pageLink(page, question));
    case 'calls':
      return stats.summary();
    case 'clients':
      return { clients: mux.listClients() };
    case 'approvals':
      return approvals(mux, question.answer);
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

function approvals({ approvals: all }: Reachable['mux'], answer: AnsweredApproval | undefined): object {
  const isAnswered = answer !== undefined && all.answer(answer.id, answer);
  return { isAnswered, approvals: all.list() };
}

async function pageLink(
  page: PageHost,
  { isReadOnly, isOpened }: Extract<ControlQuestion, { readonly command: 'page' }>,
): Promise<object> {
  return isOpened ? page.opening(isReadOnly) : { url: await page.link(isReadOnly) };
}

const NO_PAGE = { error: { code: 'FAILED', message: 'this mcpmux has no page' } };
const NOT_SHARED = { error: { code: 'FAILED', message: 'no windows share this mcpmux' } };

async function orRefusal(work: () => Promise<object>): Promise<object> {
  try {
    return await work();
  } catch (error) {
    const message = messageOf(error);
    return { error: { code: error instanceof MuxError ? error.code : 'FAILED', message } };
  }
}
