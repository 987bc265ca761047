import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { callingNow } from '../call-list.js';
import { useConfigChange, type Change } from '../config-change.js';
import { post } from '../connection.js';
import { foundServers, MAX_SERVERS } from '../found-servers.js';
import { keyOf, layersOf } from '../layers.js';
import type { Overview, Server, State } from '../model.js';
import { Split } from '../panel.js';
import { Empty, Field, Message, Status, toneOf } from '../parts.js';
import { serverColumns, ServerDetails } from '../server-table.js';
import { SureButton } from '../sure-button.js';
import { Summary } from '../summary.js';
import { Table } from '../table.js';

/** What the buttons of the view do. */
interface Changes {
  /** Changes what runs, and tells what became of it. */
  readonly running: (path: string, body: object, done: string) => void;
  /** Shows a change of the config. */
  readonly config: (change: Change) => void;
}

/** The servers that run, and those of the config that do not. */
export function Servers(props: {
  readonly overview: Overview;
  readonly state: State;
  readonly refresh: () => void;
}) {
  const { overview, state, refresh } = props;
  const { history, calls, asOf, rate } = state;
  const [chosen, setChosen] = useState<string>();
  const [filter, setFilter] = useState('');
  const act = useAct();
  const { view, show } = useConfigChange(act, refresh);
  const change: Changes = {
    running: (path, body, done) => act.run(() => post(path, body).finally(refresh), done),
    config: (wanted) => show(() => wanted),
  };
  const server = overview.servers.find((one) => keyOf(one) === chosen);
  const hasLayers = layersOf(overview.servers).length > 1;
  const calling = callingNow(calls.values(), { overview, asOf });
  const rows = foundServers(overview.servers, filter);
  const table = (
    <>
      {overview.servers.length > MAX_SERVERS && (
        <div class="bar">
          <Field label="Filter" value={filter} onInput={setFilter} placeholder="server, state or failure" />
          <span class="calm">
            {rows.length} of {overview.servers.length}
          </span>
        </div>
      )}
      <Table
        caption="Servers"
        columns={serverColumns({ chosen, choose: setChosen, hasLayers, calling, history: history.calls })}
        rows={rows}
        keyOf={keyOf}
        partsOf={(row) => [history.calls.get(keyOf(row)), calling.get(keyOf(row))?.join(' ')]}
        toneOf={(row) => rowTone(row, chosen)}
        empty={filter === '' ? <NoServer overview={overview} /> : 'No server matches the filter.'}
      />
      <Message text={act.message} />
      {view}
      <NotStarted overview={overview} change={change} />
    </>
  );
  const details = server !== undefined && (
    <ServerDetails
      key={keyOf(server)}
      server={server}
      history={history.calls.get(keyOf(server))}
      close={() => setChosen(undefined)}
    >
      {overview.mayManage && <Actions server={server} change={change} />}
    </ServerDetails>
  );
  return (
    <>
      <Summary overview={overview} history={history} rate={rate} />
      <Split list={table} details={details} />
    </>
  );
}

function rowTone(server: Server, chosen: string | undefined): string {
  const isChosen = keyOf(server) === chosen;
  return `${toneOf(server.status) === 'bad' ? 'failing' : ''} ${isChosen ? 'chosen' : ''}`;
}

function NoServer({ overview }: { readonly overview: Overview }) {
  return (
    <Empty title="No server is registered.">
      {overview.canEditConfig && overview.mayManage ? (
        <>
          <a href="#/add">Add a server</a> from a command, a url or the registry, or run{' '}
          <code>mcpmux add</code> in a terminal.
        </>
      ) : (
        <>
          An agent adds one with the tool <code>add_server</code>.
        </>
      )}
    </Empty>
  );
}

function NotStarted({ overview, change }: { readonly overview: Overview; readonly change: Changes }) {
  // A disabled entry may have the name of a server that a client has added.
  const off = overview.config.filter(
    ({ name, status }) => status === 'disabled' || !overview.servers.some((server) => server.name === name),
  );
  if (off.length === 0) return null;
  return (
    <section aria-labelledby="off">
      <h2 id="off">In the config, not started</h2>
      <ul class="rows">
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

function Actions({ server, change }: { readonly server: Server; readonly change: Changes }) {
  const { name, layer, isOfConfig = false } = server;
  const canApprove = Object.keys(server.blocked_tools ?? {}).length > 0;
  const remove = isOfConfig
    ? () => change.config({ kind: 'remove', name })
    : () => change.running('remove', { name, layer }, `Removed ${name}.`);
  return (
    <p class="actions">
      <button type="button" onClick={() => change.running('reload', { name, layer }, `Reloaded ${name}.`)}>
        Reload
      </button>
      {canApprove && (
        <button
          type="button"
          onClick={() => change.running('reload', { name, layer, approve: true }, `Approved ${name}.`)}
        >
          Reload and approve
        </button>
      )}
      {isOfConfig && (
        <button type="button" onClick={() => change.config({ kind: 'disable', name })}>
          Disable
        </button>
      )}
      <SureButton label="Remove" question={`Remove ${name}: sure?`} act={remove} />
    </p>
  );
}
