import { useState } from 'preact/hooks';

import type { Client } from '../model.js';
import { Table, type Column } from '../parts.js';
import { span } from '../texts.js';
import { MessagesOf } from './timeline.js';

const COLUMNS: readonly Column<Client>[] = [
  { head: 'Session', cell: ({ session }) => session, isNumber: true },
  { head: 'Protocol', cell: ({ era = '', protocol_version: revision = '' }) => `${era} ${revision}` },
  { head: 'Capabilities', cell: ({ capabilities }) => capabilities.join(', ') },
  { head: 'Principal', cell: ({ principal }) => principal },
  { head: 'Connected', cell: ({ connected_seconds: seconds }) => span(seconds), isNumber: true },
  { head: 'In flight', cell: ({ in_flight: requests }) => requests, isNumber: true },
];

/** The connected clients, and the messages of one of them. */
export function Clients({ clients }: { readonly clients: readonly Client[] }) {
  const [watched, setWatched] = useState<Client>();
  const name = (client: Client) => (
    <button
      type="button"
      class="link"
      aria-expanded={client.session === watched?.session}
      onClick={() => setWatched(client.session === watched?.session ? undefined : client)}
    >
      {nameOf(client)}
    </button>
  );
  return (
    <>
      <Table
        caption="Clients"
        columns={[{ head: 'Client', cell: name }, ...COLUMNS]}
        rows={clients}
        keyOf={({ session }) => session}
        empty="No client is connected."
      />
      {watched !== undefined && (
        <MessagesOf
          key={watched.session}
          session={watched.session}
          client={nameOf(watched)}
          close={() => setWatched(undefined)}
        />
      )}
    </>
  );
}

function nameOf({ client, session }: Client): string {
  return client ?? `session ${session}, which has not introduced itself`;
}
