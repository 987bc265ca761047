import type { Socket } from 'node:net';

import { DEFAULT_LIMITS, HOST, type ConnectOptions } from '@mcpmux/core';
import { StreamChannel } from '@mcpmux/wire';

import { administration } from './administration.js';
import type { Purpose } from './first-lines.js';
import { HostChannel } from './host-channel.js';
import type { Reachable } from './instance-components.js';
import { openedLine } from './opening.js';
import type { Opening } from './read-opening.js';

/** The queue of a command's connection is small: events wait in their iterator, which is bounded. */
const LIMITS = { ...DEFAULT_LIMITS, highWatermarkBytes: 64 * 1024 };

/** Serves a connection according to its first line: an MCP session, which an opening may place. */
export function serveConnection(connection: Socket, first: Purpose, components: Reachable): void {
  if (first.kind === 'malformed') return void connection.destroy();
  connection.pause();
  const rest = first.kind === 'session' ? first.bytes : first.rest;
  if (rest.length > 0) connection.unshift(rest);
  if (first.kind === 'session') openSession(connection, {}, components);
  else openPlaced(connection, first.opening, components);
  connection.resume();
}

function openPlaced(connection: Socket, opening: Opening, components: Reachable): void {
  const { shared } = components;
  switch (opening.for) {
    case 'command':
      connection.write(openedLine('opened'));
      // A process without windows has the same servers for every folder.
      return openSession(connection, shared === undefined ? {} : { workspace: opening.cwd }, components);
    case 'window':
      return shared === undefined ? void connection.destroy() : shared.onWindow(connection, opening);
    case 'instance':
      return shared === undefined ? void connection.destroy() : shared.onVisitor(connection, opening.window);
  }
}

/** Guards do not apply to the user who runs mcpmux. */
function openSession(connection: Socket, place: ConnectOptions, components: Reachable): void {
  const streams = new StreamChannel({ input: connection, output: connection }, LIMITS);
  components.mux.connect(new HostChannel(streams, administration(components)), {
    principal: HOST,
    ...place,
  });
}
