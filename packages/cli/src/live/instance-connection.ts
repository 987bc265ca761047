import type { Socket } from 'node:net';

import { HOST, type ConnectOptions } from '@mcpmux/core';
import { StreamChannel } from '@mcpmux/wire';

import { AdminConnection } from './admin-connection.js';
import { administrationOf } from './administration.js';
import { MAX_OPENING_BYTES, type Purpose } from './first-lines.js';
import type { Reachable } from './instance-components.js';
import { openStateLine } from './opening.js';
import type { Opening } from './read-opening.js';

/** The queue for a command is short, because further events can wait in the iterator, which is bounded. */
const ADMIN_CHANNEL_LIMITS = { maxLineBytes: MAX_OPENING_BYTES, highWatermarkBytes: 64 * 1024 };

/** Serves a connection as an MCP session or for the instance's administration, depending on its first line. */
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
      // A process without windows has no workspaces, so its servers do not depend on the folder.
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

/** Opens a session as the user who runs mcpmux, to whom guards do not apply. */
function openSession(connection: Socket, options: ConnectOptions, { mux }: Reachable): void {
  mux.connect({ input: connection, output: connection }, { principal: HOST, ...options });
}
