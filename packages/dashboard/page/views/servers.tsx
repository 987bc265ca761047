import { useState } from 'preact/hooks';

import { useAction } from '../action.js';
import { callingNow } from '../call-list.js';
import { useConfigChange, type Change } from '../config-change.js';
import { post } from '../connection.js';
import { foundServers, MAX_SERVERS } from '../found-servers.js';
import { keyOf, labelsOf, layersOf, serverAndLayer, serverKey } from '../layers.js';
import type { LogLine, State } from '../model.js';
import type { Overview, ServerView } from '../../src/data/overview-shown.js';
import { Split } from '../panel.js';
import { Code, Empty, Field, Message, Status, toneOf } from '../parts.js';
import { linkTo } from '../route.js';
import { serverColumns, ServerDetails } from '../server-table.js';
import { SureButton } from '../sure-button.js';
import { Summary } from '../summary.js';
import { Table } from '../table.js';
import { clock } from '../texts.js';

/** The functions that the buttons of the view call. */
interface Changes {
  /** Changes a running server, and reports the outcome. */
  readonly running: (path: string, body: object, done: string) => void;
  /** Shows a change to the config. */
  readonly config: (change: Change) => void;
}

/** Shows the running servers, and the config entries that do not run. */
export function Servers(props: {
  readonly overview: Overview;
  readonly state: State;
  /** The key of the server that a link has opened. */
  readonly opened: string | undefined;
  readonly refresh: () => void;
}) {
  const { overview, state, refresh } = props;
  const { history, rate } = state;
  const [chosen, setChosen] = useState(props.opened);
  const act = useAction();
  const { view, show } = useConfigChange(act, refresh);
  const change: Changes = {
    running: (path, body, done) => act.run(() => post(path, body).finally(refresh), done),
    config: (wanted) => show(() => wanted),
  };
  const server = overview.servers.find((one) => keyOf(one) === chosen);
  const table = (
    <>
      <FilteredTable overview={overview} state={state} chosen={chosen} choose={setChosen} />
      <Message {...act.outcome} />
      {view}
      <NotStarted overview={overview} change={change} />
    </>
  );
  const details = server !== undefined && (
    <Details
      key={keyOf(server)}
      {...{ server, state, overview, change }}
      close={() => setChosen(undefined)}
    />
  );
  return (
    <>
      <Summary overview={overview} history={history} rate={rate} />
      <Split list={table} details={details} />
    </>
  );
}

/** Shows all servers, with a filter if there are many. */
function FilteredTable(props: {
  readonly overview: Overview;
  readonly state: State;
  readonly chosen: string | undefined;
  readonly choose: (key: string | undefined) => void;
}) {
  const { overview, state, chosen, choose } = props;
  const { history, calls, asOf } = state;
  const [filter, setFilter] = useState('');
  const hasLayers = layersOf(overview.servers).length > 1;
  const hasEras =
    new Set([...overview.servers, ...overview.clients].flatMap(({ era }) => era ?? [])).size > 1;
  const label = labelsOf(overview.servers);
  const calling = callingNow(calls.values(), { overview, asOf });
  const rows = foundServers(overview.servers, filter);
  return (
    <>
      {overview.servers.length > MAX_SERVERS && (
        <Filter value={filter} onInput={setFilter} shown={rows.length} all={overview.servers.length} />
      )}
      <Table
        caption="Servers"
        columns={serverColumns({
          chosen,
          choose,
          hasLayers,
          hasEras,
          label,
          calling,
          history: history.calls,
        })}
        rows={rows}
        keyOf={keyOf}
        partsOf={(row) => [history.calls.get(keyOf(row)), calling.get(keyOf(row))?.join(' ')]}
        toneOf={(row) => rowTone(row, chosen)}
        empty={filter === '' ? <NoServer overview={overview} /> : 'No server matches the filter.'}
      />
    </>
  );
}

function Filter(props: {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly shown: number;
  readonly all: number;
}) {
  return (
    <div class="bar">
      <Field
        label="Filter"
        value={props.value}
        onInput={props.onInput}
        placeholder="server, state or failure"
      />
      <span class="calm">
        {props.shown} of {props.all}
      </span>
    </div>
  );
}

function rowTone(server: ServerView, chosen: string | undefined): string {
  const isChosen = keyOf(server) === chosen;
  return `${toneOf(server.status) === 'bad' ? 'failing' : ''} ${isChosen ? 'chosen' : ''}`;
}

function Details(props: {
  readonly server: ServerView;
  readonly state: State;
  readonly overview: Overview;
  readonly change: Changes;
  readonly close: () => void;
}) {
  const { server, state, overview, change, close } = props;
  const label = labelsOf(overview.servers)(serverAndLayer(server));
  return (
    <ServerDetails
      server={server}
      history={state.history.calls.get(keyOf(server))}
      log={<LastLines lines={state.log} server={server} label={label} />}
      hasLinks
      close={close}
    >
      {overview.mayManage && <Actions server={server} change={change} />}
    </ServerDetails>
  );
}

const LAST_LINES = 8;

function LastLines(props: {
  readonly lines: readonly LogLine[];
  readonly server: ServerView;
  readonly label: string;
}) {
  const { server, label } = props;
  const lines = props.lines.filter((line) => serverKey(line) === keyOf(server)).slice(-LAST_LINES);
  return (
    <>
      <h3>Log</h3>
      {/* A failure shows its own lines. */}
      {server.last_error === undefined && lines.length > 0 && (
        <Code label={`Last log lines of ${server.name}`}>
          {lines.map(({ time, text }) => `${clock(time)} ${text}`).join('\n')}
        </Code>
      )}
      <p>
        <a href={linkTo({ view: 'logs', server: label })}>All lines of {server.name}</a>
      </p>
    </>
  );
}

function NoServer({ overview }: { readonly overview: Overview }) {
  return (
    <Empty title="No server is registered.">
      {overview.mayManage && (
        <>
          <a href="#/add">Add a server</a> from a command, a url or the registry.{' '}
        </>
      )}
      {overview.canEditConfig ? (
        <>
          <code>mcpmux add</code> adds one in a terminal.
        </>
      ) : (
        <>
          This mcpmux serves no config: it has a server until it ends. An agent adds one with the tool{' '}
          <code>add_server</code>.
        </>
      )}
    </Empty>
  );
}

function NotStarted({ overview, change }: { readonly overview: Overview; readonly change: Changes }) {
  // A disabled entry may have the same name as a server that a client has added.
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

function Actions({ server, change }: { readonly server: ServerView; readonly change: Changes }) {
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
