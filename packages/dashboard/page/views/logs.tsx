import { useState } from 'preact/hooks';

import type { LogLine } from '../model.js';
import { Empty, Field } from '../parts.js';
import { clock } from '../texts.js';

const MAX_LINES = 300;

/** What servers wrote and what happened to them, newest first. */
export function Logs({ log }: { readonly log: readonly LogLine[] }) {
  const [filter, setFilter] = useState('');
  const [server, setServer] = useState('');
  const [kind, setKind] = useState('');
  const [paused, setPaused] = useState<readonly LogLine[]>();
  const all = paused ?? log;
  const servers = [...new Set(all.map((line) => line.server))].toSorted();
  const words = filter.toLowerCase();
  const found = all
    .filter((line) => server === '' || line.server === server)
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
        {shown.map(({ id, time, text, kind: of, server: name }) => (
          <li key={id} class={of}>
            <time title={new Date(time).toLocaleString()}>{clock(time)}</time> <strong>{name}</strong>{' '}
            <span>{text}</span>
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
