import type { ComponentChildren } from 'preact';

import type { Server } from './model.js';
import { Code, Status, type Column } from './parts.js';
import { duration, size, span } from './texts.js';

/** The columns of the table of servers. */
export function serverColumns(
  chosen: string | undefined,
  choose: (name: string | undefined) => void,
): readonly Column<Server>[] {
  const name = (server: Server) => (
    <button
      type="button"
      class="link"
      aria-expanded={server.name === chosen}
      onClick={() => choose(server.name === chosen ? undefined : server.name)}
    >
      {server.name}
    </button>
  );
  return [
    { head: 'Server', cell: name },
    { head: 'State', cell: ({ status }) => <Status value={status} /> },
    { head: 'Protocol', cell: ({ era = '', protocol_version: revision = '' }) => `${era} ${revision}` },
    { head: 'Tools', cell: ({ tools }) => tools.length, isNumber: true },
    { head: 'Process', cell: ({ pid }) => pid ?? '', isNumber: true },
    { head: 'Up', cell: ({ uptime_seconds: seconds }) => span(seconds), isNumber: true },
    { head: 'Restarts', cell: ({ restarts }) => restarts, isNumber: true },
    {
      head: 'CPU',
      cell: ({ usage }) => (usage?.cpuPercent === undefined ? '' : `${usage.cpuPercent} %`),
      isNumber: true,
    },
    { head: 'Memory', cell: ({ usage }) => size(usage?.memoryBytes), isNumber: true },
    { head: 'Calls', cell: ({ calls }) => calls?.count ?? 0, isNumber: true },
    { head: 'Failed', cell: ({ calls }) => calls?.failed ?? 0, isNumber: true },
    { head: 'p95', cell: ({ calls }) => duration(calls?.p95), isNumber: true },
  ];
}

/** What is known of one server. */
export function ServerDetails(props: { readonly server: Server; readonly children?: ComponentChildren }) {
  const { name, command, args = [], url, warnings = [], last_error: error, restart } = props.server;
  const changed = props.server.changed_tools ?? [];
  const blocked = Object.entries(props.server.blocked_tools ?? {});
  return (
    <section aria-labelledby="details" class="panel">
      <h2 id="details">{name}</h2>
      <p>
        <code>{url ?? [command, ...args].join(' ')}</code>
      </p>
      {error !== undefined && (
        <>
          <p class="bad">{error.message}</p>
          {error.advice !== undefined && <p>{error.advice}</p>}
          <Code label={`Last lines of ${name}`}>
            {[...(error.stderr_tail ?? []), ...(error.stdout_lines ?? [])].join('\n')}
          </Code>
        </>
      )}
      {restart !== undefined && <p>{restart}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="note">
          {warning}
        </p>
      ))}
      {changed.length > 0 && <p class="note">Changed definitions: {changed.join(', ')}</p>}
      {blocked.length > 0 && (
        <p class="bad">
          Blocked until approved: {blocked.map(([tool, why]) => `${tool} (${why})`).join(', ')}
        </p>
      )}
      {props.children}
    </section>
  );
}
