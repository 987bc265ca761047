import type { LogFields, Logger, LogLevel } from './logger.js';
import type { Sessions } from './downstream/sessions.js';
import type { ServerJournal } from './management/server-journal.js';
import type { MuxEvents } from './mux-events.js';
import type { RegistryEvents } from './registry/registry.js';
import type { ServerNotification, ServerRequest } from './upstream/call-sink.js';
import { LIST_KINDS, LISTS, type ListKind } from './upstream/list-kind.js';
import type { Received } from './upstream/received.js';
import { shownUrl } from './remote/shown-url.js';
import { report, summarize } from './upstream/run-failure.js';
import { isRemote } from './upstream/server-config.js';
import type { Upstream } from './upstream/upstream.js';
import type { IdText } from './wire/request-id.js';

/** What a {@link ServerObserver} tells of servers to. */
export interface ServerAudience {
  readonly logger: Logger;
  readonly events: MuxEvents;
  readonly journal: ServerJournal;
  readonly sessions: Pick<Sessions, 'serverRuns' | 'serverRemoved' | 'serverNotification' | 'serverRequest'>;
  /** The notification of the list that has changed. */
  readonly listChanged: (method: string) => void;
}

/** Tells the log, the host, the clients and the catalog what happens to servers. */
export class ServerObserver implements RegistryEvents {
  constructor(private readonly audience: ServerAudience) {}

  added({ name: server, config }: Upstream): void {
    const place = isRemote(config) ? { url: shownUrl(config.url) } : { command: config.command };
    this.tell(server, 'info', 'server added', place);
    this.audience.events.emit('server:added', { server });
  }

  removed(upstream: Upstream): void {
    const { name: server } = upstream;
    this.tell(server, 'info', 'server removed');
    this.audience.sessions.serverRemoved(upstream);
    this.audience.events.emit('server:removed', { server });
    this.allChanged(upstream);
  }

  stateChanged(upstream: Upstream): void {
    const { name: server, state, tools } = upstream;
    const { events, sessions, journal } = this.audience;
    switch (state.kind) {
      case 'removed':
        return;
      case 'starting':
        journal.record(server, 'event', 'server starting');
        return events.emit('server:state', { server, status: 'starting' });
      case 'running':
        this.tell(server, 'info', 'server running', {
          ...(state.pid !== null && { pid: state.pid }),
          tools: tools.length,
        });
        events.emit('server:state', { server, status: 'running' });
        sessions.serverRuns(upstream);
        return this.allChanged(upstream);
      case 'crashed':
        this.audience.logger.log('error', report(server, state.failure), { server });
        journal.record(server, 'event', summarize(server, state.failure));
        events.emit('server:state', {
          server,
          status: 'crashed',
          error: summarize(server, state.failure),
        });
        return this.allChanged(upstream);
    }
  }

  listChanged({ name: server, lists }: Upstream, kind: ListKind): void {
    this.tell(server, 'info', `${kind} discovered`, { [kind]: lists[kind].length });
    this.audience.listChanged(LISTS[kind].changed);
  }

  notification(received: Received<ServerNotification>): void {
    this.audience.sessions.serverNotification(received);
  }

  request(received: Received<ServerRequest>, id: IdText): void {
    this.audience.sessions.serverRequest(received, id);
  }

  stderrLine({ name: server }: Upstream, line: string): void {
    this.audience.logger.log('info', line, { server, stream: 'stderr' });
    this.audience.journal.record(server, 'stderr', line);
    this.audience.events.emit('server:stderr', { server, line });
  }

  private tell(server: string, level: LogLevel, message: string, fields: LogFields = {}): void {
    this.audience.logger.log(level, message, { server, ...fields });
    const details = Object.entries(fields).map(([key, value]) => `${key} ${String(value)}`);
    this.audience.journal.record(server, 'event', [message, ...details].join(', '));
  }

  /** All that the server offers has come or gone. That it has tools is its purpose; the other lists many do without. */
  private allChanged({ lists, listsBefore }: Upstream): void {
    for (const kind of LIST_KINDS) {
      const isConcerned = kind === 'tools' || lists[kind].length > 0 || listsBefore[kind].length > 0;
      if (isConcerned) this.audience.listChanged(LISTS[kind].changed);
    }
  }
}
