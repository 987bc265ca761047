import { cutText, type LogFields, type Logger, type LogLevel } from '@mcpmux/kit';
import { isListed } from '../catalog/exposed-definition.js';
import type { Catalogs } from '../catalog/catalogs.js';
import type { ChangeCoalescer } from '../catalog/change-coalescer.js';
import type { StartingServers } from '../catalog/starting-servers.js';
import type { Sessions } from '../client/session/sessions.js';
import { SERVER_STARTING, type ServerJournal } from '../tools/journal/server-journal.js';
import { auditFieldsOf, type AuditRecord } from '../tools/journal/audit.js';
import type { MuxEvents } from './mux-events.js';
import { namedServer } from './server-place.js';
import type { Actor } from '../server/config/actor.js';
import type { ServerReport } from '../server/run/server-report.js';
import { isSessionInstance, isSessionTemplate } from '../server/config/isolation.js';
import { isUnusable } from '../server/config/server-config.js';
import { LIST_KINDS, LISTS, type ListKind } from '../server/lists/list-kind.js';
import { OTHER_COMMAND_WARNING } from '../server/offer.js';
import { failureReport, summarize, type RunFailure } from '../server/link/run-failure.js';
import type { PinFindings } from '../server/lists/tool-pins.js';
import type { Upstream } from '../server/upstream.js';
import { statusName } from '../server/upstream-state.js';

/** Maximum number of tool names in a log or audit record. */
const MAX_NAMED_TOOLS = 20;
/** Maximum length of each of these tool names, in characters. */
const MAX_TOOL_NAME_LENGTH = 200;

/** The components that a {@link ServerObserver} notifies. */
export interface ServerAudience {
  readonly logger: Logger;
  readonly events: MuxEvents;
  readonly journal: ServerJournal;
  readonly sessions: Pick<Sessions, 'handleServerStart' | 'handleSecondRunStart' | 'forgetServer'>;
  readonly catalogs: Pick<Catalogs, 'invalidate'>;
  readonly starting: Pick<StartingServers, 'updateState'>;
  readonly changes: Pick<ChangeCoalescer, 'addChange' | 'onStartEnded'>;
}

/** Returns a function that writes audit records to the log and emits them as `audit` events. */
export function auditTo(logger: Logger, events: MuxEvents): (record: AuditRecord, level?: LogLevel) => void {
  return (record, level = 'info') => {
    logger.log(level, 'audit', { ...record });
    events.emit('audit', record);
  };
}

/** Reports server events to the log, the journal, the host and the clients, and invalidates the catalogs. */
export class ServerObserver {
  private readonly audit: ReturnType<typeof auditTo>;

  constructor(private readonly audience: ServerAudience) {
    this.audit = auditTo(audience.logger, audience.events);
  }

  observe(upstream: Upstream, event: ServerReport<Upstream>): void {
    switch (event.kind) {
      case 'added':
        return this.handleAdded(upstream, event.by);
      case 'removed':
        return this.handleRemoved(upstream, event.by);
      case 'replaced':
        return this.handleReplaced(upstream, event.next);
      case 'reloading':
        return this.audit({ action: 'reload', ...auditFieldsOf(upstream), outcome: 'done', ...event.by });
      case 'approved':
        return this.audit({ action: 'approve', ...auditFieldsOf(upstream), outcome: 'done', ...event.by });
      case 'spawned':
        return this.handleSpawned(upstream, event.pid);
      case 'unpinned':
        return this.handleUnpinned(upstream, event.findings);
      case 'state-changed':
        return this.handleStateChange(upstream);
      case 'second-began':
        return this.handleSecondRun(upstream);
      case 'swap-failed':
        return this.handleSwapFailure(upstream, event.failure);
      case 'list-changed':
        return this.handleListChange(upstream, event.list);
      case 'stderr':
      case 'stdout':
        return this.handleOutput(upstream, event.kind, event.line);
    }
  }

  private handleAdded(upstream: Upstream, by: Actor): void {
    const level = levelOf(upstream, by);
    this.report(upstream, level, 'server added', locationOf(upstream));
    this.audit({ action: 'add', ...auditFieldsOf(upstream), outcome: 'done', ...by }, level);
    this.audience.events.emit('server:added', namedServer(upstream));
    // The server's lists may be known from an earlier mux, before its first start.
    if (isListed(upstream)) this.announceAll(upstream);
  }

  private handleRemoved(upstream: Upstream, by: Actor): void {
    const level = levelOf(upstream, by);
    this.report(upstream, level, 'server removed');
    this.audit({ action: 'remove', ...auditFieldsOf(upstream), outcome: 'done', ...by }, level);
    this.audience.sessions.forgetServer(upstream);
    this.audience.events.emit('server:removed', namedServer(upstream));
    this.announceAll(upstream);
  }

  private handleReplaced(upstream: Upstream, next: Upstream): void {
    this.report(next, 'info', 'configuration read again', locationOf(next));
    this.audience.sessions.forgetServer(upstream);
    this.announceAll(next);
  }

  private handleSpawned(upstream: Upstream, pid: number): void {
    this.audit({ action: 'spawn', ...auditFieldsOf(upstream), outcome: 'done', rule: 'registered', pid });
  }

  private handleUnpinned(upstream: Upstream, findings: PinFindings): void {
    const { tools } = upstream;
    const isBlocked = tools.some(({ key }) => upstream.offer.blockedTools.has(key));
    const names = [...findings.keys()]
      .slice(0, MAX_NAMED_TOOLS)
      .map((name) => cutText(name, MAX_TOOL_NAME_LENGTH));
    const outcome = isBlocked ? 'refused' : 'done';
    const rule = isBlocked ? 'pin block' : 'pin warn';
    this.audit({ action: 'change', ...auditFieldsOf(upstream), outcome, rule, tools: names });
    const isOtherCommand = [...findings.values()].every((reason) => reason === 'command');
    const summary = isOtherCommand
      ? OTHER_COMMAND_WARNING
      : `${findings.size} tools differ from the pinned ones`;
    const message = `${summary}${isBlocked ? '; its tools are blocked until approved' : ''}`;
    this.report(upstream, 'warn', message, { tools: names });
  }

  private handleStateChange(upstream: Upstream): void {
    const hasStarted = this.audience.starting.updateState(upstream);
    this.reportState(upstream);
    if (hasStarted) this.audience.changes.onStartEnded();
  }

  private handleSecondRun(upstream: Upstream): void {
    const { connection, startResult } = upstream.secondRun;
    this.report(upstream, 'info', 'a second run serves clients of the other era', {
      era: connection?.dialect.era,
      protocol_version: startResult?.identity.protocolVersion,
    });
    this.audience.sessions.handleSecondRunStart(upstream);
  }

  private handleSwapFailure(upstream: Upstream, failure: RunFailure): void {
    const reason = summarize(upstream.name, failure);
    this.audience.journal.record(upstream, 'event', `reload failed, the previous run continues: ${reason}`);
    this.auditSpawnFailure(upstream, failure);
  }

  private handleListChange(upstream: Upstream, kind: ListKind): void {
    this.report(upstream, 'info', `${kind} discovered`, { [kind]: upstream.lists[kind].length });
    this.announce(upstream, kind);
  }

  private handleOutput(upstream: Upstream, stream: 'stderr' | 'stdout', line: string): void {
    const { logger, journal, events } = this.audience;
    // The connection already logs stdout lines, at debug level, because many servers print a harmless greeting.
    if (stream === 'stderr') logger.log('info', line, { server: upstream.name, stream });
    journal.record(upstream, stream, line);
    events.emit(`server:${stream}`, { ...namedServer(upstream), line });
  }

  private reportState(upstream: Upstream): void {
    const { name: server, state, tools } = upstream;
    const { events, sessions, journal } = this.audience;
    switch (state.kind) {
      case 'removed':
        return;
      case 'starting':
        journal.record(upstream, 'event', SERVER_STARTING);
        return events.emit('server:state', { ...namedServer(upstream), status: 'starting' });
      case 'running':
        this.report(upstream, 'info', 'server running', {
          ...(state.pid !== null && { pid: state.pid }),
          tools: tools.length,
          protocol_version: upstream.identity?.protocolVersion,
        });
        events.emit('server:state', { ...namedServer(upstream), status: 'running' });
        sessions.handleServerStart(upstream);
        return this.announceAll(upstream);
      case 'idle':
        this.report(upstream, isUnused(upstream) ? 'debug' : 'info', `server idle: ${idleText(upstream)}`);
        return events.emit('server:state', { ...namedServer(upstream), status: 'idle' });
      case 'crashed': {
        const error = summarize(server, state.failure);
        this.audience.logger.log('error', failureReport(server, state.failure), { server });
        journal.record(upstream, 'event', error);
        this.auditSpawnFailure(upstream, state.failure);
        events.emit('server:state', { ...namedServer(upstream), status: statusName(state), error });
        return this.announceAll(upstream);
      }
    }
  }

  private auditSpawnFailure(upstream: Upstream, { kind }: RunFailure): void {
    if (kind !== 'not-launched' || upstream.redactedCommand.url !== undefined) return;
    this.audit({ action: 'spawn', ...auditFieldsOf(upstream), outcome: 'failed', rule: 'registered' });
  }

  private report(upstream: Upstream, level: LogLevel, message: string, fields: LogFields = {}): void {
    this.audience.logger.log(level, message, { server: upstream.name, ...fields });
    const details = Object.entries(fields).map(([key, value]) => `${key} ${String(value)}`);
    this.audience.journal.record(upstream, 'event', [message, ...details].join(', '));
  }

  /** Announces possible changes to a server's lists: its tools always, other lists if they have or had entries. */
  private announceAll(upstream: Upstream): void {
    const { lists, previousLists } = upstream.offer;
    for (const kind of LIST_KINDS) {
      const mayHaveChanged = kind === 'tools' || lists[kind].length > 0 || previousLists[kind].length > 0;
      if (mayHaveChanged) this.announce(upstream, kind);
    }
  }

  private announce({ layer }: Upstream, kind: ListKind): void {
    this.audience.catalogs.invalidate(layer);
    this.audience.changes.addChange(layer, LISTS[kind].changedMethod);
  }
}

/** Returns a log field with the server's command or URL, or no fields if its configuration is unusable. */
function locationOf({ config, redactedCommand: { url, command } }: Upstream): LogFields {
  if (isUnusable(config)) return {};
  return url === undefined ? { command } : { url };
}

/** Returns `debug` for the automatic addition or removal of an unused session instance, otherwise `info`. */
function levelOf(upstream: Upstream, { rule }: Actor): LogLevel {
  return isUnused(upstream) && (rule === 'isolation' || rule === 'session ended') ? 'debug' : 'info';
}

/** True for a session instance that has not run yet. */
function isUnused(upstream: Upstream): boolean {
  return isSessionInstance(upstream) && upstream.identity === undefined;
}

function idleText(upstream: Upstream): string {
  if (isSessionTemplate(upstream)) return 'each session has its own session instance';
  return upstream.identity === undefined
    ? 'it starts when a request needs it'
    : 'it is stopped until a request needs it';
}
