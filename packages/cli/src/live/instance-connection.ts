import type { Socket } from 'node:net';

import { HOST, type ConnectOptions } from '@mcpmux/core';
import { StreamChannel } from '@mcpmux/wire';

import { AdminConnection } from './admin-connection.js';
import { administrationOf } from './administration.js';
import { MAX_OPENING_BYTES, type Purpose } from './first-lines.js';
import type { Reachable } from './instance-components.js';
import { openStateLine } from './opening.js';
import type { Opening } from './read-opening.js';

/** A small queue suffices: while a command does not read, further events wait in the mux's bounded iterator. */
const ADMIN_CHANNEL_LIMITS = { maxLineBytes: MAX_OPENING_BYTES, highWatermarkBytes: 64 * 1024 };

/** Serves a connection as its first line requests: as an MCP session or for administration of the instance. */
export function serveConnection(connection: Socket, first: Purpose, components: Reachable): void {
  if (first.kind === 'malformed') return void connection.destroy();
  connection.pause();
  const rest = first.kind === 'session' ? first.bytes : first.rest;
  if (rest.length > 0) connection.unshift(rest);
  if (first.kind === 'session') openSession(connection, {}, components);
  else serveOpened(connection, first.opening, components);
  connection.resume();
}

function serveOpened(connection: Socket, opening: Opening, components: Reachable): void {
  const { shared } = components;
  switch (opening.for) {
    case 'administration':
      connection.write(openStateLine('opened'));
      return openAdministration(connection, components);
    case 'command':
      connection.write(openStateLine('opened'));
      // Only a shared process has workspaces. In other processes, the folder does not affect a session's servers.
      return openSession(connection, shared === undefined ? {} : { workspace: opening.cwd }, components);
    case 'window':
      return shared === undefined ? void connection.destroy() : shared.onWindow(connection, opening);
    case 'instance':
      return shared === undefined ? void connection.destroy() : shared.onVisitor(connection, opening.window);
  }
}

function openAdministration(connection: Socket, components: Reachable): void {
  const channel = new StreamChannel({ input: connection, output: connection }, ADMIN_CHANNEL_LIMITS);
  channel.open(new AdminConnection(channel, administrationOf(components)));
}

/** Opens a session as the user who runs mcpmux, whom access rules and approvals do not restrict. */
function openSession(connection: Socket, options: ConnectOptions, { mux }: Reachable): void {
  mux.connect({ input: connection, output: connection }, { principal: HOST, ...options });
}
