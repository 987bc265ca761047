import { useEffect, useState } from 'preact/hooks';

import { EMPTY_TIMELINE, withMessages, type Timed, type Timeline } from '../timeline.js';
import { Panel } from '../panel.js';
import { Code, CutMark, Message, Pause } from '../parts.js';
import { followMessages } from '../session-messages.js';
import { clock, cutMessage, duration, moment, pretty, size } from '../texts.js';

/** Shows the messages between one client and mcpmux since this panel was opened, newest first. */
export function MessagesOf(props: {
  readonly session: number;
  readonly client: string;
  readonly close: () => void;
}) {
  const { session, client, close } = props;
  const [timeline, setTimeline] = useState(EMPTY_TIMELINE);
  const [paused, setPaused] = useState<Timeline>();
  const [course, setCourse] = useState(INITIAL);
  useEffect(() => {
    const left = new AbortController();
    void followMessages(session, left.signal, {
      batch: (batch) => {
        setTimeline((before) => withMessages(before, batch));
        setCourse((before) => (before.is === 'open' ? before : { ...before, is: 'open' }));
      },
      away: () => setCourse({ is: 'away', wasAway: true }),
      gone: () => setCourse((before) => ({ ...before, is: 'gone' })),
    });
    return () => left.abort();
  }, [session]);
  const { messages, missed, isOpen } = paused ?? timeline;
  return (
    <Panel id="timeline" title={`Messages of ${client}`} close={close}>
      <p class="actions">
        <Pause
          isPaused={paused !== undefined}
          pause={(isPaused) => setPaused(isPaused ? timeline : undefined)}
        />
      </p>
      <Message text={course.is === 'gone' ? 'The client has gone.' : ''} />
      {course.is === 'away' && <Message text={AWAY} isProblem />}
      {course.is === 'open' && course.wasAway && <p class="box note">{INTERRUPTED}</p>}
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

/** The state of the stream, and whether the timeline has gaps. */
interface StreamState {
  readonly is: 'open' | 'away' | 'gone';
  readonly wasAway: boolean;
}

const INITIAL: StreamState = { is: 'open', wasAway: false };
const AWAY = 'mcpmux does not answer. The page tries again by itself.';
const INTERRUPTED = 'Messages of the time without mcpmux are not listed.';

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
