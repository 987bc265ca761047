import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { useConfigChange, type Change } from '../config-change.js';
import { post } from '../connection.js';
import type { Overview, Server } from '../model.js';
import { Code, Message, Status, Table, type Column } from '../parts.js';
import { duration, size, span } from '../texts.js';

/** What the buttons of the view do. */
interface Changes {
  /** Changes what runs, and tells what became of it. */
  readonly running: (path: string, body: object, done: string) => void;
  /** Shows a change of the config. */
  readonly config: (change: Change) => void;
}

/** The servers that run, and those of the config that do not. */
export function Servers({
  overview,
  refresh,
}: {
  readonly overview: Overview;
  readonly refresh: () => void;
}) {
  const [chosen, setChosen] = useState<string>();
  const act = useAct();
  const { view, show } = useConfigChange(act, refresh);
  const change: Changes = {
    running: (path, body, done) => act.run(() => post(path, body).finally(refresh), done),
    config: (wanted) => show(() => wanted),
  };
  const server = overview.servers.find(({ name }) => name === chosen);
  return (
    <>
      <Table
        caption="Servers"
        columns={columnsOf(chosen, setChosen)}
        rows={overview.servers}
        keyOf={({ name }) => name}
        empty="No server is registered."
      />
      <Message text={act.message} />
      {view}
      {server !== undefined && (
        <Details key={server.name} server={server} overview={overview} change={change} />
      )}
      <NotStarted overview={overview} change={change} />
    </>
  );
}

function NotStarted({ overview, change }: { readonly overview: Overview; readonly change: Changes }) {
  const off = overview.config.filter(({ name }) => !overview.servers.some((server) => server.name === name));
  if (off.length === 0) return null;
  return (
    <section aria-labelledby="off">
      <h2 id="off">In the config, not started</h2>
      <ul class="plain">
        {off.map(({ name, status }) => (
          <li key={name}>
            <strong>{name}</strong> <Status value={status} />{' '}
            {overview.mayManage && status === 'disabled' && (
              <button type="button" onClick={() => change.config({ kind: 'enable', name })}>
                Enable {name}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function columnsOf(
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

interface DetailsProps {
  readonly server: Server;
  readonly overview: Overview;
  readonly change: Changes;
}

function Details({ server, overview, change }: DetailsProps) {
  const { name, command, args = [], url, warnings = [], last_error: error, restart } = server;
  const changed = server.changed_tools ?? [];
  const blocked = Object.entries(server.blocked_tools ?? {});
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
      {overview.mayManage && (
        <Actions name={name} overview={overview} change={change} canApprove={blocked.length > 0} />
      )}
    </section>
  );
}

function Actions(
  props: Omit<DetailsProps, 'server'> & { readonly name: string; readonly canApprove: boolean },
) {
  const { name, overview, change, canApprove } = props;
  const [isSure, setSure] = useState(false);
  const isInConfig = overview.config.some((entry) => entry.name === name);
  const remove = isInConfig
    ? () => change.config({ kind: 'remove', name })
    : () => change.running('remove', { name }, `Removed ${name}.`);
  return (
    <p class="actions">
      <button type="button" onClick={() => change.running('reload', { name }, `Reloaded ${name}.`)}>
        Reload
      </button>
      {canApprove && (
        <button
          type="button"
          onClick={() => change.running('reload', { name, approve: true }, `Approved ${name}.`)}
        >
          Reload and approve
        </button>
      )}
      {isInConfig && (
        <button type="button" onClick={() => change.config({ kind: 'disable', name })}>
          Disable
        </button>
      )}
      <button type="button" class="danger" onClick={() => (isSure ? remove() : setSure(true))}>
        {isSure ? `Remove ${name}: sure?` : 'Remove'}
      </button>
    </p>
  );
}
