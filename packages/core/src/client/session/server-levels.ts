import { type Limits, type Logger, messageOf } from '@mcpmux/kit';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import { lowestLevel, type ProtocolLogLevel } from '../caller/log-level.js';
import type { Audience } from './audience.js';

/** The dependencies of {@link ServerLevels}. */
export interface ServerLevelParts {
  readonly logger: Logger;
  readonly limits: Pick<Limits, 'listTimeoutMs'>;
}

/** The log levels of servers: each sends what the least demanding client wants; the others' messages are dropped here. */
export class ServerLevels {
  /** The last level that each run of a server got and has not refused. */
  private readonly reported = new WeakMap<Connection, ProtocolLogLevel>();

  constructor(
    private readonly audience: Audience,
    private readonly parts: ServerLevelParts,
  ) {}

  /** Tells a server its level, if that is another one than its run was told last. */
  send(upstream: Upstream): void {
    const level = this.levelOf(upstream);
    if (level === undefined || upstream.identity?.capabilities['logging'] === undefined) return;
    for (const connection of upstream.connections) this.report(connection, upstream, level);
  }

  private report(connection: Connection, { name }: Upstream, level: ProtocolLogLevel): void {
    if (this.reported.get(connection) === level) return;
    this.reported.set(connection, level);
    const { logger, limits } = this.parts;
    connection.dialect.setLogLevel(connection, level, limits.listTimeoutMs).catch((error: unknown) => {
      if (this.reported.get(connection) === level) this.reported.delete(connection);
      logger.log('debug', 'a server refused a log level', { server: name, level, problem: messageOf(error) });
    });
  }

  private levelOf(upstream: Upstream): ProtocolLogLevel | undefined {
    const seeing = this.audience.seeing(upstream);
    const greeted = seeing.filter(({ profile }) => profile !== undefined);
    const all = [...seeing, ...this.audience.requestsSeeing(upstream)];
    const meanwhile = all.filter(({ meanwhileLevel }) => meanwhileLevel !== undefined);
    return lowestLevel([
      ...greeted.map(({ logLevel }) => logLevel),
      ...meanwhile.map(({ meanwhileLevel }) => meanwhileLevel),
    ]);
  }
}
