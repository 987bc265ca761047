import type { Logger } from './logger.js';
import type { MuxEvents } from './mux-events.js';
import type { RegistryEvents } from './registry/registry.js';
import { report, summarize } from './upstream/run-failure.js';
import type { Upstream } from './upstream/upstream.js';

/** Tells the log, the host and the catalog what happens to servers. */
export class ServerObserver implements RegistryEvents {
  constructor(
    private readonly logger: Logger,
    private readonly events: MuxEvents,
    private readonly catalogChanged: () => void,
  ) {}

  added({ name: server, config }: Upstream): void {
    this.logger.log('info', 'server added', { server, command: config.command });
    this.events.emit('server:added', { server });
  }

  removed({ name: server }: Upstream): void {
    this.logger.log('info', 'server removed', { server });
    this.events.emit('server:removed', { server });
    this.catalogChanged();
  }

  stateChanged({ name: server, state, tools }: Upstream): void {
    switch (state.kind) {
      case 'removed':
        return;
      case 'starting':
        return this.events.emit('server:state', { server, status: 'starting' });
      case 'running':
        this.logger.log('info', 'server running', { server, pid: state.pid, tools: tools.length });
        this.events.emit('server:state', { server, status: 'running' });
        return this.catalogChanged();
      case 'crashed':
        this.logger.log('error', report(server, state.failure), { server });
        this.events.emit('server:state', {
          server,
          status: 'crashed',
          error: summarize(server, state.failure),
        });
        return this.catalogChanged();
    }
  }

  toolsChanged({ name: server, tools }: Upstream): void {
    this.logger.log('info', 'tools discovered', { server, tools: tools.length });
    this.catalogChanged();
  }

  stderrLine({ name: server }: Upstream, line: string): void {
    this.logger.log('info', line, { server, stream: 'stderr' });
    this.events.emit('server:stderr', { server, line });
  }
}
