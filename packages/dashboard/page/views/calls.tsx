import { useRef, useState } from 'preact/hooks';

import { chosenCalls, listed, outcomeOf, totalsOf, type ListedCall } from '../call-list.js';
import { labelsOf, serverAndLayer, type LabelOf } from '../layers.js';
import type { Call, State } from '../model.js';
import type { Overview } from '../../src/data/overview-shown.js';
import { useNow } from '../now.js';
import { Split } from '../panel.js';
import { CALL_CHOICES, type CallChoice, type Route } from '../route.js';
import { Ago, Choice, Empty, Field, Pause, Status, Tabs, Tokens, toneOf } from '../parts.js';
import { Share } from '../graphics.js';
import { Table, type Column } from '../table.js';
import { count, duration, size } from '../texts.js';
import { OneCall } from './one-call.js';

const MAX_ROWS = 100;

/** Shows the tool calls. Calls in flight come first, then the latest calls. */
export function Calls(props: { readonly state: State; readonly overview: Overview; readonly route: Route }) {
  const { state, overview, route } = props;
  const [filter, setFilter] = useState('');
  const [server, setServer] = useState(route.server ?? '');
  const [only, setOnly] = useState<CallChoice>(route.only ?? 'all');
  const [paused, setPaused] = useState<readonly ListedCall[]>();
  const [chosen, setChosen] = useState<number>();
  const now = useNow();
  const asListed = (calls: readonly Call[]): readonly ListedCall[] =>
    listed(calls, { overview, asOf: state.asOf }, Math.max(now, state.asOf));
  const live = asListed([...state.calls.values()]);
  const all = paused ?? live;
  const label = labelsOf(overview.servers);
  const words = filter.toLowerCase();
  const found = chosenCalls(all, only, now)
    .filter((call) => server === '' || label(call) === server)
    .filter((call) => textOf(call).includes(words));
  const rows = found.slice(0, MAX_ROWS);
  const [call] = asListed(useOpened(chosen, [...state.calls.values(), ...(paused ?? [])]));
  return (
    <>
      <div class="bar">
        <Tabs label="Calls shown" titles={CHOICES} values={CALL_CHOICES} chosen={only} choose={setOnly} />
        <Choice label="Server" value={server} values={serversOf(overview, all)} choose={setServer} />
        <Field label="Filter" value={filter} onInput={setFilter} placeholder="tool, client or outcome" />
        <Pause isPaused={paused !== undefined} pause={(isPaused) => setPaused(isPaused ? live : undefined)} />
        <Totals calls={found} />
      </div>
      <OmittedCalls rows={rows.length} found={found.length} state={state} />
      <Split
        list={
          <Table
            caption="Calls"
            columns={columnsOf({ rows, now, chosen, choose: setChosen, label })}
            rows={rows}
            keyOf={(row) => row.call}
            toneOf={(row) => (row.call === chosen ? 'chosen' : '')}
            empty={<NoCall isFiltered={all.length > 0} />}
          />
        }
        details={
          call !== undefined && <OneCall key={call.call} call={call} close={() => setChosen(undefined)} />
        }
      />
    </>
  );
}

const CHOICES: Readonly<Record<CallChoice, string>> = {
  all: 'All',
  failed: 'Failed',
  'in flight': 'In flight',
  slowest: 'Slowest in 10 min',
};

/** Returns the labels of the servers that run, and of the servers that were called. */
function serversOf({ servers }: Overview, calls: readonly Call[]): readonly string[] {
  return [...new Set([...servers.map(serverAndLayer), ...calls].map(labelsOf(servers)))].toSorted();
}

/**
 * Returns the chosen call, if there is one. It remains while it is open, even if the list has dropped it for later
 * calls.
 */
function useOpened(chosen: number | undefined, calls: readonly Call[]): readonly Call[] {
  const last = useRef<Call | undefined>(undefined);
  const known = calls.find(({ call }) => call === chosen) ?? last.current;
  last.current = known?.call === chosen ? known : undefined;
  return last.current === undefined ? [] : [last.current];
}

/** Shows how many calls the table omits. */
function OmittedCalls(props: { readonly rows: number; readonly found: number; readonly state: State }) {
  const { rows, found } = props;
  const { unlisted, hasLostCalls } = props.state;
  const texts = [
    ...(found > rows ? [`The table shows the latest ${rows} of ${found} calls.`] : []),
    ...(unlisted > 0
      ? [`${count(unlisted)} further calls are not in the list; the servers count them.`]
      : []),
    ...(hasLostCalls ? ['Calls were lost while the page was interrupted; the servers count them.'] : []),
  ];
  return texts.length === 0 ? null : <p class="calm">{texts.join(' ')}</p>;
}

function NoCall({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No call matches the filter." />;
  return (
    <Empty title="No call in the last hour.">
      Calls of clients appear here at once. <a href="#/tools">Try a tool</a> to make the first one.
    </Empty>
  );
}

function Totals({ calls }: { readonly calls: readonly ListedCall[] }) {
  const { inFlight, failed, bytes, tokens, calls: all } = totalsOf(calls);
  if (all === 0) return null;
  return (
    <p class="totals">
      <span>
        <strong>{count(all)}</strong> calls
      </span>
      {inFlight > 0 && (
        <span class="busy">
          <strong>{inFlight}</strong> in flight
        </span>
      )}
      <span class={failed > 0 ? 'bad' : 'calm'}>
        <strong>{count(failed)}</strong> failed
      </span>
      <span title="about four bytes are one token">
        <strong>≈ {count(tokens)}</strong> tokens in {size(bytes)} of answers
      </span>
    </p>
  );
}

function textOf(call: Call & ListedCall): string {
  const { server, tool, session, client = '', problem = '' } = call;
  return `${server} ${tool} ${client} session ${session} ${outcomeOf(call)} ${problem}`.toLowerCase();
}

interface ColumnParts {
  readonly rows: readonly ListedCall[];
  readonly now: number;
  readonly chosen: number | undefined;
  readonly choose: (call: number | undefined) => void;
  readonly label: LabelOf;
}

function columnsOf({ rows, now, chosen, choose, label }: ColumnParts): readonly Column<ListedCall>[] {
  // The bar of a call in flight is full when the call takes longer than all finished calls.
  const slowest = rows.reduce((most, { ms = 0 }) => Math.max(most, ms), 0);
  const tool = ({ hasContent, call, tool: name, problem }: ListedCall) => (
    <>
      {hasContent ? (
        <button
          type="button"
          class="link"
          aria-expanded={call === chosen}
          onClick={() => choose(call === chosen ? undefined : call)}
        >
          {name}
        </button>
      ) : (
        name
      )}
      {problem !== undefined && <small class="bad reason">{problem}</small>}
    </>
  );
  const took = (call: ListedCall) => (
    <>
      {call.isInFlight ? `${Math.floor((call.took ?? 0) / 1000)} s …` : duration(call.took)}
      {call.took !== undefined && <Share part={call.took} whole={slowest} tone={toneOf(outcomeOf(call))} />}
    </>
  );
  return [
    { head: 'Tool', cell: tool, room: 'main' },
    { head: 'Server', cell: label },
    {
      head: 'Client',
      cell: ({ client, session }) => client ?? (session === undefined ? '' : `session ${session}`),
      room: 'wide',
    },
    { head: 'Outcome', cell: (call) => <Status value={outcomeOf(call)} /> },
    { head: 'Duration', cell: took, isNumber: true },
    { head: 'Request', cell: ({ sent }) => size(sent), isNumber: true, room: 'wide' },
    { head: 'Answer', cell: ({ received }) => size(received), isNumber: true, room: 'tablet' },
    { head: 'Tokens', cell: ({ received }) => <Tokens bytes={received} />, isNumber: true, room: 'tablet' },
    { head: 'When', cell: ({ time }) => <Ago time={time} now={now} />, isNumber: true },
  ];
}
