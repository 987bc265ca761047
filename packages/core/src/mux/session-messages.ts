import type { Clock } from '../base/clock.js';
import type { Session } from '../downstream/session/session.js';
import { Redactor } from '../redact/redactor.js';
import { secretsOfConfig } from '../upstream/config/config-secrets.js';
import type { AnyServerConfig } from '../upstream/config/server-config.js';
import { EventReader } from './event-reader.js';
import { envelopeOf, messageText, type SessionMessage } from './shown-message.js';

/** Messages are read one by one up to this number in each window, so that many cost no more than few. */
const WINDOW_MS = 100;
const MAX_LISTED = 20;
/** Those of them whose text is copied. */
const MAX_WITH_TEXT = 5;

/** What {@link watchSession} works with. */
interface WatchParts {
  readonly clock: Clock;
  /** The configurations of all servers: their secrets are in no text. */
  readonly configs: () => readonly AnyServerConfig[];
}

/** Reads the messages of a session from now on, until the loop is left or the session ends. */
export function watchSession(session: Session, parts: WatchParts): EventReader<SessionMessage> {
  const window = new Window(parts.clock);
  const redactors = new Redactors(parts.configs);
  const leave = session.taps.add((from, line) => {
    const place = window.next();
    if (place > MAX_LISTED) {
      reader.inbox.skip(1);
      if (place === MAX_LISTED + 1) parts.clock.schedule(() => reader.serve(), WINDOW_MS);
      return;
    }
    const text = place > MAX_WITH_TEXT ? undefined : messageText(line, redactors.current());
    const shown = text === undefined ? undefined : { text };
    reader.push({ type: 'message', time: Date.now(), from, ...envelopeOf(line), ...shown });
  });
  const reader = new EventReader<SessionMessage>(leave);
  void session.closed.then(() => reader.end());
  return reader;
}

/** Counts what comes within a tenth of a second. */
class Window {
  private count = 0;
  private ends = 0;

  constructor(private readonly clock: Clock) {}

  next(): number {
    const now = this.clock.now();
    if (now >= this.ends) {
      this.ends = now + WINDOW_MS;
      this.count = 0;
    }
    this.count += 1;
    return this.count;
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
