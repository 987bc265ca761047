import { type Kit, messageOf } from '@mcpmux/kit';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { lowestLevel, type ProtocolLogLevel } from '../caller/log-level.js';
import type { Audience } from './audience.js';

/**
 * Sets each server to the most detailed log level of its clients. A message that is more detailed than a client's own
 * level is not forwarded to that client.
 */
export class ServerLevels {
  /** The level last sent on each connection, unless the server has rejected it. */
  private readonly sentLevels = new WeakMap<Connection, ProtocolLogLevel>();

  constructor(
    private readonly audience: Audience,
    private readonly kit: Pick<Kit<'listTimeoutMs'>, 'logger' | 'limits'>,
  ) {}

  /** Sets a server's level on each connection for which the level has changed. */
  sendLevel(upstream: Upstream): void {
    const level = this.levelOf(upstream);
    if (level === undefined || upstream.identity?.capabilities['logging'] === undefined) return;
    for (const connection of upstream.connections) this.sendLevelOn(connection, upstream, level);
  }

  private sendLevelOn(connection: Connection, { name }: Upstream, level: ProtocolLogLevel): void {
    if (this.sentLevels.get(connection) === level) return;
    this.sentLevels.set(connection, level);
    const { logger, limits } = this.kit;
    connection.dialect.setLogLevel(connection, level, limits.listTimeoutMs).catch((error: unknown) => {
      if (this.sentLevels.get(connection) === level) this.sentLevels.delete(connection);
      logger.log('debug', 'a server refused a log level', { server: name, level, problem: messageOf(error) });
    });
  }

  private levelOf(upstream: Upstream): ProtocolLogLevel | undefined {
    const sessions = this.audience.sessionsSeeing(upstream);
    const initializedSessions = sessions.filter(({ profile }) => profile !== undefined);
    const clients = [...sessions, ...this.audience.requestsSeeing(upstream)];
    const loggingClients = clients.filter(({ requestLogLevel }) => requestLogLevel !== undefined);
    return lowestLevel([
      ...initializedSessions.map(({ logLevel }) => logLevel),
      ...loggingClients.map(({ requestLogLevel }) => requestLogLevel),
    ]);
  }
}
