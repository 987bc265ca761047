import type { Client } from '../model.js';
import { Table, type Column } from '../parts.js';
import { span } from '../texts.js';

const COLUMNS: readonly Column<Client>[] = [
  { head: 'Session', cell: ({ session }) => session, isNumber: true },
  { head: 'Client', cell: ({ client }) => client ?? 'has not introduced itself' },
  { head: 'Protocol', cell: ({ era = '', protocol_version: revision = '' }) => `${era} ${revision}` },
  { head: 'Capabilities', cell: ({ capabilities }) => capabilities.join(', ') },
  { head: 'Principal', cell: ({ principal }) => principal },
  { head: 'Connected', cell: ({ connected_seconds: seconds }) => span(seconds), isNumber: true },
  { head: 'In flight', cell: ({ in_flight: requests }) => requests, isNumber: true },
];

/** The connected clients. */
export function Clients({ clients }: { readonly clients: readonly Client[] }) {
  return (
    <Table
      caption="Clients"
      columns={COLUMNS}
      rows={clients}
      keyOf={({ session }) => session}
      empty="No client is connected."
    />
  );
}
