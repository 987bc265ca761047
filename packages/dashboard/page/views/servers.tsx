import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { useConfigChange, type Change } from '../config-change.js';
import { post } from '../connection.js';
import type { Overview, Server } from '../model.js';
import { Message, Status, Table } from '../parts.js';
import { serverColumns, ServerDetails } from '../server-table.js';

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
        columns={serverColumns(chosen, setChosen)}
        rows={overview.servers}
        keyOf={({ name }) => name}
        empty="No server is registered."
      />
      <Message text={act.message} />
      {view}
      {server !== undefined && (
        <ServerDetails key={server.name} server={server}>
          {overview.mayManage && <Actions server={server} overview={overview} change={change} />}
        </ServerDetails>
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

function Actions(props: { readonly server: Server; readonly overview: Overview; readonly change: Changes }) {
  const { server, overview, change } = props;
  const { name } = server;
  const canApprove = Object.keys(server.blocked_tools ?? {}).length > 0;
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
