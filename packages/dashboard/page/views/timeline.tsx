import { useEffect, useState } from 'preact/hooks';

import { problemOf } from '../action.js';
import { lines } from '../connection.js';
import { EMPTY_TIMELINE, withMessages, type Timed, type Timeline } from '../timeline.js';
import { Panel } from '../panel.js';
import { Code, CutMark, Message } from '../parts.js';
import { clock, cutMessage, duration, moment, pretty, size } from '../texts.js';

/** The messages between one client and mcpmux, from the time when this was opened, newest first. */
export function MessagesOf(props: {
  readonly session: number;
  readonly client: string;
  readonly close: () => void;
}) {
  const { session, client, close } = props;
  const [timeline, setTimeline] = useState(EMPTY_TIMELINE);
  const [isPaused, setPaused] = useState<Timeline>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const left = new AbortController();
    const read = async (): Promise<void> => {
      for await (const batch of lines(`messages?session=${session}`, undefined, left.signal))
        setTimeline((before) => withMessages(before, batch));
      setProblem('The client has gone.');
    };
    read().catch((error: unknown) => left.signal.aborted || setProblem(problemOf(error)));
    return () => left.abort();
  }, [session]);
  const { messages, missed, isOpen } = isPaused ?? timeline;
  return (
    <Panel id="timeline" title={`Messages of ${client}`} close={close}>
      <p class="actions">
        <button
          type="button"
          aria-pressed={isPaused !== undefined}
          onClick={() => setPaused(isPaused === undefined ? timeline : undefined)}
        >
          Pause
        </button>
      </p>
      <Message text={problem} />
      {missed > 0 && <p class="box note">{missed} messages came faster than this page lists them.</p>}
      {messages.length === 0 && (
        <p class="calm">{isOpen ? 'No message since this timeline was opened.' : 'Opening the timeline …'}</p>
      )}
      <ol class="timeline">
        {messages.toReversed().map((message) => (
          <One key={message.place} message={message} />
        ))}
      </ol>
    </Panel>
  );
}

function One({ message }: { readonly message: Timed }) {
  const { from, kind, method = '', time, bytes, ms, text } = message;
  const head = (
    <>
      <time title={moment(time)}>{clock(time)}</time>{' '}
      <span>{from === 'client' ? '→ from the client' : '← to the client'}</span>{' '}
      <strong class={kind === 'error' ? 'bad' : ''}>
        {kind} {method}
      </strong>{' '}
      <span class="calm">
        {size(bytes)} {duration(ms)}
      </span>
    </>
  );
  return (
    <li class={from}>
      {text === undefined ? (
        head
      ) : (
        <details>
          <summary>{head}</summary>
          <Code label="Message">{pretty(text)}</Code>
          <CutMark text={text} bytes={cutMessage(text, bytes)} />
        </details>
      )}
    </li>
  );
}
