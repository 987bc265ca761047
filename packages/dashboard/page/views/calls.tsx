import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { get } from '../connection.js';
import type { Call } from '../model.js';
import { Code, Field, Message, Status, Table, type Column } from '../parts.js';
import { clock, duration, pretty, size } from '../texts.js';

const MAX_ROWS = 100;

interface Content {
  readonly call: number;
  readonly arguments: string;
  readonly result?: string;
}

/** The latest tool calls, newest first. */
export function Calls({ calls }: { readonly calls: ReadonlyMap<number, Call> }) {
  const [filter, setFilter] = useState('');
  const [paused, setPaused] = useState<readonly Call[]>();
  const [content, setContent] = useState<Content>();
  const { message, run } = useAct();
  const all = paused ?? [...calls.values()].toReversed();
  const words = filter.toLowerCase();
  const rows = all.filter((call) => textOf(call).includes(words)).slice(0, MAX_ROWS);
  const show = ({ call }: Call): void =>
    run(async () => setContent({ call, ...(await get<Omit<Content, 'call'>>(`call?call=${call}`)) }));
  return (
    <>
      <div class="bar">
        <Field
          label="Filter"
          value={filter}
          onInput={setFilter}
          placeholder="server, tool, client, session 1 or outcome"
        />
        <button
          type="button"
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused === undefined ? all : undefined)}
        >
          Pause
        </button>
      </div>
      <Message text={message} />
      {content !== undefined && <OneCall content={content} close={() => setContent(undefined)} />}
      <Table
        caption="Calls"
        columns={columnsOf(show)}
        rows={rows}
        keyOf={({ call }) => call}
        empty="No call since the page was opened."
      />
    </>
  );
}

function textOf({ server, tool, session, client = '', ending = 'in flight', problem = '' }: Call): string {
  return `${server} ${tool} ${client} session ${session} ${ending} ${problem}`.toLowerCase();
}

function outcome({ ending, problem }: Call): string {
  if (ending === undefined) return 'in flight';
  return ending === 'result' && problem !== undefined ? 'error' : ending;
}

function columnsOf(show: (call: Call) => void): readonly Column<Call>[] {
  const tool = (call: Call) =>
    call.hasContent ? (
      <button type="button" class="link" onClick={() => show(call)}>
        {call.tool}
      </button>
    ) : (
      call.tool
    );
  return [
    { head: 'Time', cell: ({ time }) => clock(time) },
    { head: 'Server', cell: ({ server }) => server },
    { head: 'Tool', cell: tool },
    {
      head: 'Client',
      cell: ({ client, session }) => client ?? (session === undefined ? '' : `session ${session}`),
    },
    { head: 'Duration', cell: ({ ms }) => duration(ms), isNumber: true },
    { head: 'Request', cell: ({ sent }) => size(sent), isNumber: true },
    { head: 'Answer', cell: ({ received }) => size(received), isNumber: true },
    {
      head: 'Outcome',
      cell: (call) => (
        <>
          <Status value={outcome(call)} /> {call.problem}
        </>
      ),
    },
  ];
}

function OneCall({ content, close }: { readonly content: Content; readonly close: () => void }) {
  return (
    <section aria-labelledby="content" class="panel">
      <h2 id="content">Call {content.call}</h2>
      <h3>Arguments</h3>
      <Code label="Arguments">{pretty(content.arguments)}</Code>
      <h3>Result</h3>
      <Code label="Result">{content.result === undefined ? 'not answered yet' : pretty(content.result)}</Code>
      <button type="button" onClick={close}>
        Close
      </button>
    </section>
  );
}
