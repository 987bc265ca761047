import { describe, expect, it } from 'vitest';

import { keyPaths, readId, readMessage } from '@mcpmux/wire';
import { connected, type Connected } from '../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import type { ServerNotification, ServerRequest } from '../link/pending-call.js';
import { RunInbox } from './run-inbox.js';

interface Rig extends Connected {
  readonly inbox: RunInbox<string>;
  /** What came through, in order. */
  readonly reported: readonly string[];
}

/** The inbox of a run of the server `s`. */
function bound(): Rig {
  const rig = connected();
  const reported: string[] = [];
  const inbox = new RunInbox({
    upstream: 's',
    inbox: {
      onNotification: ({ upstream, message }) => reported.push(`${upstream}: ${message.method}`),
      onRequest: ({ upstream, message }, id) => reported.push(`${upstream}: ${message.method} ${id}`),
    },
    onListChanged: (kind) => reported.push(kind),
  });
  inbox.bind(rig.connection);
  return { ...rig, inbox, reported };
}

function report({ inbox }: Rig, method: string): void {
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', method }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a notification
  inbox.onNotification(line, readMessage(line, keyPaths([])) as ServerNotification);
}

function ask({ inbox }: Rig): void {
  const line = Buffer.from('{"jsonrpc":"2.0","id":7,"method":"roots/list"}');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a request
  const message = readMessage(line, keyPaths([])) as ServerRequest;
  const read = readId(line, message.id);
  if ('id' in read) inbox.onRequest(line, message, read.id);
}

describe('the inbox of a run', () => {
  it('brings messages on with the server that they come from', () => {
    const rig = bound();
    rig.inbox.open();
    report(rig, 'notifications/message');
    ask(rig);
    expect(rig.reported).toEqual(['s: notifications/message', 's: roots/list 7']);
  });

  it('tells of each list that a notification says to have changed, and does not bring that on', () => {
    const rig = bound();
    rig.inbox.open();
    report(rig, 'notifications/resources/list_changed');
    expect(rig.reported).toEqual(['resources', 'resourceTemplates']);
  });

  it('refuses requests and buffers 64 notifications of a server that is not initialized', async () => {
    const rig = bound();
    ask(rig);
    for (let count = 0; count < 65; count += 1) report(rig, `n${count}`);
    expect(rig.reported).toEqual([]);
    rig.inbox.open();
    expect(rig.reported).toEqual(Array.from({ length: 64 }, (_, count) => `s: n${count}`));
    await nextTurn();
    expect(rig.server.received).toEqual([
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"before it is initialized, a server may request nothing but ping"}}',
    ]);
  });

  it('drops what a run sends whose place another one has taken', async () => {
    const rig = bound();
    rig.inbox.open();
    rig.inbox.close();
    report(rig, 'notifications/message');
    ask(rig);
    await nextTurn();
    expect([rig.reported, rig.server.received]).toEqual([[], []]);
  });
});
