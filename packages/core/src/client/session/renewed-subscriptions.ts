import { notificationLine } from '@mcpmux/wire';
import type { Upstream } from '../../server/upstream.js';
import type { Listeners } from '../methods/listeners.js';
import type { Subscriptions } from '../methods/subscriptions.js';
import type { Session } from './session.js';

interface Subscribers {
  readonly subscriptions: Subscriptions;
  readonly sessions: Iterable<Session>;
  readonly listeners: Pick<Listeners, 'values'>;
}

/**
 * Renews a restarted server's subscriptions, and notifies the subscribed clients that its resources may have changed.
 */
export async function renewSubscriptions(
  upstream: Upstream,
  { subscriptions, sessions, listeners }: Subscribers,
): Promise<void> {
  const { connection } = upstream;
  if (connection === undefined) return;
  await subscriptions.renew(upstream, (uri) => {
    const subscribers = subscriptions.subscribersToNotify(upstream, uri);
    const updateLine = (exposedUri: string): Buffer =>
      notificationLine('notifications/resources/updated', { uri: exposedUri });
    for (const session of sessions) {
      if (!subscribers.has(session)) continue;
      session.send(updateLine(session.view.aliasOf(upstream, uri) ?? uri), connection);
    }
    for (const listener of listeners.values()) {
      if (!subscribers.has(listener)) continue;
      const exposedUri = listener.caller.view.aliasOf(upstream, uri) ?? uri;
      listener.handleResourceUpdate(updateLine(exposedUri), connection, false);
    }
  });
}
