import { type Clock, Redactor } from '@mcpmux/kit';
import type { Session } from '../client/session/session.js';
import { Allowance } from './allowance.js';
import { EventReader } from './event-reader.js';
import { envelopeOf, messageText, type SessionMessage } from './shown-message.js';

/** Maximum rate of delivered messages; the rest are counted. A handshake with all lists fits in the burst. */
const MESSAGE_RATE = { burst: 100, perSecond: 20 };
/** How long messages are only counted after the rate was exceeded, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Reads a session's messages from now on, until the consumer leaves the loop or the session ends.
 *
 * @param secrets returns each server's secrets, which are removed from every message
 */
export function watchSession(
  session: Session,
  clock: Clock,
  secrets: () => readonly (readonly string[])[],
): EventReader<SessionMessage> {
  const allowance = new Allowance(MESSAGE_RATE);
  const redactors = new Redactors(secrets);
  // Messages during a pause are counted without reading the clock, which would cost more than the counting.
  let isPaused = false;
  const pause = (): void => {
    isPaused = true;
    clock.schedule(() => {
      isPaused = false;
      reader.deliver();
    }, PAUSE_MS);
  };
  const removeTap = session.taps.add((from, line) => {
    if (!isPaused && !allowance.tryConsume(clock.now())) pause();
    if (isPaused) return reader.inbox.addMissed(1);
    const text = messageText(line, from, redactors.current());
    const textMember = text === undefined ? undefined : { text };
    reader.push({ type: 'message', time: Date.now(), from, ...envelopeOf(line), ...textMember });
  });
  const reader = new EventReader<SessionMessage>(removeTap);
  void session.whenClosed.then(() => reader.end());
  return reader;
}

/** Caches a redactor until the servers or their secrets change. */
export class Redactors {
  private knownSecrets: readonly (readonly string[])[] = [];
  private redactor = new Redactor([]);

  constructor(private readonly secrets: () => readonly (readonly string[])[]) {}

  current(): Redactor {
    const secretLists = this.secrets();
    const isUnchanged =
      secretLists.length === this.knownSecrets.length &&
      secretLists.every((list, at) => list === this.knownSecrets[at]);
    if (isUnchanged) return this.redactor;
    this.knownSecrets = secretLists;
    this.redactor = new Redactor(secretLists.flat());
    return this.redactor;
  }
}
