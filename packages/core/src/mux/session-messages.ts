import type { Clock } from '../base/clock.js';
import type { Session } from '../downstream/session/session.js';
import { Redactor } from '../redact/redactor.js';
import { secretsOfConfig } from '../upstream/config/config-secrets.js';
import type { AnyServerConfig } from '../upstream/config/server-config.js';
import { EventReader } from './event-reader.js';
import { envelopeOf, messageText, type SessionMessage } from './shown-message.js';

/** A session that was silent: so many messages are listed at once. A handshake with all its lists is less. */
const MAX_AT_ONCE = 100;
/** Messages that are listed of a busy session, so that many messages cost no more than few. */
const MAX_PER_SECOND = 50;
/** After this time a reader is told of messages that were left out. */
const TOLD_AFTER_MS = 100;

/** What {@link watchSession} works with. */
interface WatchParts {
  readonly clock: Clock;
  /** The configurations of all servers: their secrets are in no text. */
  readonly configs: () => readonly AnyServerConfig[];
}

/** Reads the messages of a session from now on, until the loop is left or the session ends. */
export function watchSession(session: Session, parts: WatchParts): EventReader<SessionMessage> {
  const allowance = new Allowance(parts.clock);
  const redactors = new Redactors(parts.configs);
  let isToldSoon = false;
  const leaveOut = (): void => {
    reader.inbox.skip(1);
    if (isToldSoon) return;
    isToldSoon = true;
    parts.clock.schedule(() => {
      isToldSoon = false;
      reader.serve();
    }, TOLD_AFTER_MS);
  };
  const leave = session.taps.add((from, line) => {
    if (!allowance.take()) return leaveOut();
    const text = messageText(line, from, redactors.current());
    const shown = text === undefined ? undefined : { text };
    reader.push({ type: 'message', time: Date.now(), from, ...envelopeOf(line), ...shown });
  });
  const reader = new EventReader<SessionMessage>(leave);
  void session.closed.then(() => reader.end());
  return reader;
}

/** How many messages may be listed now. */
class Allowance {
  private left = MAX_AT_ONCE;
  private last: number;

  constructor(private readonly clock: Clock) {
    this.last = clock.now();
  }

  take(): boolean {
    const now = this.clock.now();
    this.left = Math.min(MAX_AT_ONCE, this.left + ((now - this.last) / 1000) * MAX_PER_SECOND);
    this.last = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}

/** A redactor that is made anew when a server has come, gone or changed. */
class Redactors {
  private known: readonly AnyServerConfig[] = [];
  private redactor = new Redactor([]);

  constructor(private readonly configs: () => readonly AnyServerConfig[]) {}

  current(): Redactor {
    const configs = this.configs();
    const isSame =
      configs.length === this.known.length && configs.every((config, at) => config === this.known[at]);
    if (isSame) return this.redactor;
    this.known = configs;
    this.redactor = new Redactor(configs.flatMap(secretsOfConfig));
    return this.redactor;
  }
}
