import { useState } from 'preact/hooks';

import { useLatestAnswer } from '../latest-answer.js';
import { keyOf, labelsOf, serverAndLayer, type LabelOf } from '../layers.js';
import { logOfServer } from '../log-of-server.js';
import { useDrawn } from '../more.js';
import { MAX_LOG, type LogLine } from '../model.js';
import type { ServerView } from '../../src/data/overview-shown.js';
import { Choice, Empty, Field, Pause } from '../parts.js';
import { storedLog, type StoredLog } from '../stored-log.js';
import { clock, moment } from '../texts.js';

const MAX_LINES = 300;

/** Shows the output and the events of servers, newest first. */
export function Logs(props: {
  readonly log: readonly LogLine[];
  readonly servers: readonly ServerView[];
  /** The label of the server whose lines are shown first. */
  readonly opened?: string | undefined;
}) {
  const { log } = props;
  const label = labelsOf(props.servers);
  const [filter, setFilter] = useState('');
  const [server, setServer] = useState(props.opened ?? '');
  const [kind, setKind] = useState('');
  const [paused, setPaused] = useState<readonly LogLine[]>();
  const all = paused ?? log;
  const servers = [...new Set([...props.servers.map(serverAndLayer), ...all].map(label))].toSorted();
  const words = filter.toLowerCase();
  const chosen = props.servers.find((one) => label(serverAndLayer(one)) === server);
  const stored = useStored(chosen, log);
  const lines = chosen === undefined ? all : logOfServer(all, keyOf(chosen), stored);
  const found = lines
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
        <Pause isPaused={paused !== undefined} pause={(isPaused) => setPaused(isPaused ? log : undefined)} />
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
      <Lines lines={shown} label={label} />
    </>
  );
}

function Lines(props: { readonly lines: readonly LogLine[]; readonly label: LabelOf }) {
  const { rows, more } = useDrawn(props.lines);
  return (
    <>
      <ol class="log">
        {rows.map((line) => (
          <Line key={line.id} line={line} server={props.label(line)} />
        ))}
      </ol>
      {more}
    </>
  );
}

function Line({ line, server }: { readonly line: LogLine; readonly server: string }) {
  return (
    <li class={line.kind}>
      <time title={moment(line.time)}>{clock(line.time)}</time> <strong>{server}</strong>{' '}
      <span>{line.text}</span>
    </li>
  );
}

/**
 * The stored lines are read again after this number of new lines, before other servers' lines displace them from the
 * page's log.
 */
const READ_AGAIN = MAX_LOG / 2;

/** Returns the stored lines of the chosen server. */
function useStored(server: ServerView | undefined, log: readonly LogLine[]): StoredLog | undefined {
  const read = async (): Promise<StoredLog | undefined> =>
    server === undefined ? undefined : storedLog([server], Date.now());
  const version = Math.floor((log.at(-1)?.id ?? 0) / READ_AGAIN);
  return useLatestAnswer(read, server === undefined ? '' : keyOf(server), String(version)).value;
}
