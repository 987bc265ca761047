import { notificationLine } from '@mcpmux/wire';
import type { Upstream } from '../../server/upstream.js';
import type { Listens } from '../methods/listens.js';
import type { Subscriptions } from '../methods/subscriptions.js';
import type { Session } from './session.js';

/** The recipients of notifications about resources. */
interface Hearers {
  readonly subscriptions: Subscriptions;
  readonly sessions: Iterable<Session>;
  readonly listens: Pick<Listens, 'all'>;
}

/** Renews the subscriptions of a restarted server, and notifies their clients that its resources may have changed. */
export async function renewSubscriptions(
  upstream: Upstream,
  { subscriptions, sessions, listens }: Hearers,
): Promise<void> {
  const { connection } = upstream;
  if (connection === undefined) return;
  await subscriptions.renew(upstream, (uri) => {
    const interested = subscriptions.interestedIn(upstream, uri);
    const updated = (seen: string): Buffer =>
      notificationLine('notifications/resources/updated', { uri: seen });
    for (const session of sessions) {
      if (!interested.has(session)) continue;
      session.send(updated(session.view.aliasOf(upstream, uri) ?? uri), connection);
    }
    for (const listener of listens.all()) {
      if (!interested.has(listener)) continue;
      const seen = listener.caller.view.aliasOf(upstream, uri) ?? uri;
      listener.updated(updated(seen), connection, false);
    }
  });
}
