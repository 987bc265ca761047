import { useState } from 'preact/hooks';

import type { ClientStatus } from '@mcpmux/core';
import { Empty } from '../parts.js';
import { Split } from '../panel.js';
import { linkTo } from '../route.js';
import { Table, type Column } from '../table.js';
import { moment, span } from '../texts.js';
import { MessagesOf } from './timeline.js';

const COLUMNS: readonly Column<ClientStatus>[] = [
  { head: 'Session', cell: ({ session }) => session, isNumber: true, room: 'wide' },
  { head: 'Protocol', cell: ({ era = '', protocol_version: revision = '' }) => `${era} ${revision}` },
  { head: 'Capabilities', cell: ({ capabilities }) => capabilities.join(', '), room: 'main' },
  { head: 'Principal', cell: ({ principal }) => principal },
  { head: 'Connected', cell: connected, isNumber: true },
  {
    head: 'In flight',
    cell: ({ in_flight: requests }) =>
      requests === 0 ? 0 : <a href={linkTo({ view: 'calls', only: 'in flight' })}>{requests}</a>,
    isNumber: true,
  },
];

/** Shows the connected clients, and the messages of one client. */
export function Clients({ clients }: { readonly clients: readonly ClientStatus[] }) {
  const [watched, setWatched] = useState<ClientStatus>();
  const name = (client: ClientStatus) => (
    <button
      type="button"
      class="link"
      aria-expanded={client.session === watched?.session}
      onClick={() => setWatched(client.session === watched?.session ? undefined : client)}
    >
      {nameOf(client)}
    </button>
  );
  const table = (
    <Table
      caption="Clients"
      columns={[{ head: 'Client', cell: name }, ...COLUMNS]}
      rows={clients}
      keyOf={({ session }) => session}
      toneOf={({ session }) => (session === watched?.session ? 'chosen' : '')}
      empty={
        <Empty title="No client is connected.">
          A client connects with <code>mcpmux install</code>, or at the address that{' '}
          <code>mcpmux serve --http</code> prints.
        </Empty>
      }
    />
  );
  const details = watched !== undefined && (
    <MessagesOf
      key={watched.session}
      session={watched.session}
      client={nameOf(watched)}
      close={() => setWatched(undefined)}
    />
  );
  return <Split list={table} details={details} />;
}

function connected({ connected_seconds: seconds }: ClientStatus) {
  const since = moment(Date.now() - seconds * 1000);
  return <span title={`since ${since}`}>{span(seconds)}</span>;
}

function nameOf({ client, session }: ClientStatus): string {
  return client ?? `session ${session}, which has not introduced itself`;
}
