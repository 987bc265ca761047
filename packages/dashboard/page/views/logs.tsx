import { useState } from 'preact/hooks';

import { labelsOf } from '../layers.js';
import type { LogLine, Server } from '../model.js';
import { Empty, Field } from '../parts.js';
import { clock, moment } from '../texts.js';

const MAX_LINES = 300;

/** The output and the events of servers, newest first. */
export function Logs(props: { readonly log: readonly LogLine[]; readonly servers: readonly Server[] }) {
  const { log } = props;
  const label = labelsOf(props.servers);
  const [filter, setFilter] = useState('');
  const [server, setServer] = useState('');
  const [kind, setKind] = useState('');
  const [paused, setPaused] = useState<readonly LogLine[]>();
  const all = paused ?? log;
  const servers = [...new Set(all.map(label))].toSorted();
  const words = filter.toLowerCase();
  const found = all
    .filter((line) => server === '' || label(line) === server)
    .filter((line) => kind === '' || line.kind === kind)
    .filter(({ text }) => text.toLowerCase().includes(words));
  const shown = found.slice(-MAX_LINES).toReversed();
  return (
    <>
      <div class="bar">
        <Field label="Filter" value={filter} onInput={setFilter} placeholder="text" />
        <Choice label="Server" value={server} values={servers} choose={setServer} />
        <Choice label="Kind" value={kind} values={['event', 'stderr', 'stdout']} choose={setKind} />
        <button
          type="button"
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused === undefined ? log : undefined)}
        >
          Pause
        </button>
      </div>
      {found.length > shown.length && (
        <p class="calm">
          The list shows the latest {shown.length} of {found.length} lines.
        </p>
      )}
      {shown.length === 0 && (
        <Empty
          title={log.length === 0 ? 'No server has written anything.' : 'No line matches the filters.'}
        />
      )}
      <ol class="log">
        {shown.map((line) => (
          <li key={line.id} class={line.kind}>
            <time title={moment(line.time)}>{clock(line.time)}</time> <strong>{label(line)}</strong>{' '}
            <span>{line.text}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly choose: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value)}>
        <option value="">all</option>
        {props.values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
}
