import { type Clock, Redactor } from '@mcpmux/kit';
import type { Session } from '../client/session/session.js';
import { secretsOfConfig } from '../server/config/config-secrets.js';
import type { AnyServerConfig } from '../server/config/server-config.js';
import { Allowance } from './allowance.js';
import { EventReader } from './event-reader.js';
import { envelopeOf, messageText, type SessionMessage } from './shown-message.js';

/** A handshake with all its lists is less than is listed at once. */
const LISTED = { atOnce: 100, perSecond: 20 };
/** For so long messages are left out, and then a reader is told of their number. */
const LEFT_OUT_MS = 100;

/** The dependencies of {@link watchSession}. */
interface WatchParts {
  readonly clock: Clock;
  /** The configurations of all servers: their secrets are in no text. */
  readonly configs: () => readonly AnyServerConfig[];
}

/** Reads the messages of a session from now on, until the loop is left or the session ends. */
export function watchSession(session: Session, parts: WatchParts): EventReader<SessionMessage> {
  const { clock } = parts;
  const allowance = new Allowance(LISTED);
  const redactors = new Redactors(parts.configs);
  // While too many come, they are counted alone: reading the clock for each would cost more than the rest.
  let isLeavingOut = false;
  const leaveOut = (): void => {
    isLeavingOut = true;
    clock.schedule(() => {
      isLeavingOut = false;
      reader.serve();
    }, LEFT_OUT_MS);
  };
  const leave = session.taps.add((from, line) => {
    if (!isLeavingOut && !allowance.take(clock.now())) leaveOut();
    if (isLeavingOut) return reader.inbox.skip(1);
    const text = messageText(line, from, redactors.current());
    const shown = text === undefined ? undefined : { text };
    reader.push({ type: 'message', time: Date.now(), from, ...envelopeOf(line), ...shown });
  });
  const reader = new EventReader<SessionMessage>(leave);
  void session.closed.then(() => reader.end());
  return reader;
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
