import { qualifyTaskId } from '@mcpmux/namespace';

import { type Edit, ErrorCode, errorLine, type RawId, type RpcError, splice, stringAt } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { Limits } from '../../base/limits.js';
import { missingCapability } from '../../routing/client-capability.js';
import { ownerOfRequest } from '../../routing/owner-of-request.js';
import type { ServerNotification, ServerRequest } from '../../upstream/link/pending-call.js';
import { deniedKind, type ClientRequestKind } from '../../upstream/config/client-request-permission.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { ServerEvent, ServerInbox } from '../../upstream/server-event.js';
import type { Layer } from '../../upstream/config/layer.js';
import type { Upstream } from '../../upstream/upstream.js';
import { RELATED_TASK_PATH } from '../../upstream/link/related-task.js';
import { passes } from '../caller/log-level.js';
import type { Owner, Affinity } from '../caller/affinity.js';
import { relatedTaskBack, taskMadeIn } from '../asks/related-task-back.js';
import type { RootsCache } from '../caller/roots-cache.js';
import { serverRequestEdits } from '../asks/server-request-edits.js';
import type { Session } from './session.js';
import type { Subscriptions } from '../methods/subscriptions.js';

/** What {@link ServerMessages} work with. */
export interface ServerMessageComponents {
  readonly sessions: ReadonlySet<Session>;
  readonly subscriptions: Subscriptions;
  /** What is seen in a layer. */
  readonly catalogOf: (layer: Layer) => CatalogView;
  readonly roots: RootsCache;
  readonly owners: Affinity;
  readonly limits: Pick<Limits, 'maxAskedPerClient'>;
}

/** Brings what servers send on their own to the sessions it is for. */
export class ServerMessages implements ServerInbox {
  constructor(private readonly components: ServerMessageComponents) {}

  notification(received: ServerEvent<ServerNotification>): void {
    const { line, upstream, message } = received;
    switch (message.method) {
      case 'notifications/message':
        return this.log(received);
      case 'notifications/resources/updated':
        return this.updated(received);
      case 'notifications/elicitation/complete': {
        const id = textOf(received, 'elicitationId');
        const { owners } = this.components;
        const owner = id === undefined ? 'unknown' : owners.ofElicitation(upstream, id);
        return this.deliver(this.liveOwner(owner, upstream), splice(line, []), received);
      }
      case 'notifications/tasks/status':
        return this.taskStatus(received);
      default:
        return this.deliver(this.listening(received), splice(line, []), received);
    }
  }

  request(received: ServerEvent<ServerRequest>, id: RawId): void {
    const { connection, line, message } = received;
    const { method, params } = message;
    const denied = deniedKind(method, received.upstream.config.denyRequests ?? []);
    if (denied !== undefined) return refuse(connection, id, denial(denied));
    const owner = this.ownerOf(received);
    if ('refusal' in owner)
      return refuse(connection, id, { code: ErrorCode.InternalError, message: `mcpmux: ${owner.refusal}` });
    const session = owner.client;
    const missing = missingCapability(line, method, params, session.profile?.capabilities ?? {});
    if (missing !== undefined) return refuse(connection, id, missing);
    const known = method === 'roots/list' ? this.components.roots.answer(session, id, received) : undefined;
    if (known !== undefined) return connection.send(known);
    const { maxAskedPerClient } = this.components.limits;
    if (session.asked.size >= maxAskedPerClient) {
      const problem = `mcpmux: the client has not answered ${maxAskedPerClient} requests of servers`;
      return refuse(connection, id, { code: ErrorCode.InternalError, message: problem });
    }
    this.ask(session, received, id);
  }

  private ask(session: Session, received: ServerEvent<ServerRequest>, id: RawId): void {
    const { connection, line, message: request } = received;
    const { owners, roots } = this.components;
    const elicitation = textOf(received, 'elicitationId');
    if (elicitation !== undefined) owners.elicited(session, received.upstream, elicitation);
    session.asked.ask(connection, {
      line,
      request,
      serverId: id,
      edits: serverRequestEdits(received, session.profile?.capabilities ?? {}),
      readResult: (answer, result) => {
        if (request.method === 'roots/list') roots.keep(session, answer, result);
        if (request.params.has('task')) {
          const task = taskMadeIn(answer, result);
          if (task !== undefined) owners.clientTaskMade(session, connection, task);
        }
        return request.params.has(RELATED_TASK_PATH) ? relatedTaskBack(answer, result) : [];
      },
    });
  }

  private ownerOf(received: ServerEvent<ServerRequest>): ReturnType<typeof ownerOfRequest<Session>> {
    const { connection, upstream } = received;
    const owner = this.knownOwner(received);
    // What is of a client that has gone is nobody else's.
    if (owner === 'gone') return { refusal: 'the client that made the task has gone' };
    if (owner !== 'unknown') return owner;
    const seeing = this.seeing(upstream);
    const greeted = seeing.filter(({ profile }) => profile !== undefined);
    return ownerOfRequest(connection.calls.readers(), new Set(seeing), greeted);
  }

  /** By the task that it belongs to, or that it asks about. */
  private knownOwner(received: ServerEvent<ServerRequest>): Owner {
    const { owners } = this.components;
    const { upstream, connection, message } = received;
    const related = textOf(received, RELATED_TASK_PATH);
    if (related !== undefined) {
      const owner = owners.ofTask(upstream, qualifyTaskId(upstream.name, related));
      if (owner !== 'unknown') return owner;
    }
    const asked = message.method.startsWith('tasks/') ? textOf(received, 'taskId') : undefined;
    return asked === undefined ? 'unknown' : owners.ofClientTask(connection, asked);
  }

  /** The one client with calls in flight there, if it is one. */
  private callerAt({ connection, upstream }: ServerEvent<ServerNotification>): Session | undefined {
    const owner = ownerOfRequest(connection.calls.readers(), new Set(this.seeing(upstream)), []);
    return 'client' in owner ? owner.client : undefined;
  }

  private log(received: ServerEvent<ServerNotification>): void {
    const level = textOf(received, 'level');
    const sessions = this.listening(received).filter(({ logLevel }) => passes(level, logLevel));
    this.deliver(sessions, splice(received.line, loggerLabel(received)), received);
  }

  private updated(received: ServerEvent<ServerNotification>): void {
    const { upstream, line, message } = received;
    const span = message.params.get('uri');
    const uri = textOf(received, 'uri');
    if (span === undefined || uri === undefined) return;
    const { catalogOf, subscriptions } = this.components;
    const catalog = catalogOf(upstream.scope);
    const hasAlias = catalog.snapshot().resources.aliasesOf(upstream).has(uri);
    if (!hasAlias) catalog.learned.learn(uri, upstream);
    const interested = subscriptions.interestedIn(upstream, uri);
    const live = this.live(upstream);
    const subscribed = live.filter((session) => interested.has(session));
    // Without any subscription a single client is told all the same, as it would be by the server itself.
    const told = subscribed.length > 0 || live.length > 1 ? subscribed : live;
    for (const session of told) {
      const alias = session.view.aliasOf(upstream, uri);
      const edits = alias === undefined ? [] : [{ span, bytes: JSON.stringify(alias) }];
      this.deliver([session], splice(line, edits), received);
    }
  }

  private taskStatus(received: ServerEvent<ServerNotification>): void {
    const { upstream, line, message } = received;
    const span = message.params.get('taskId');
    const local = textOf(received, 'taskId');
    if (span === undefined || local === undefined) return;
    const id = qualifyTaskId(upstream.name, local);
    const renamed = splice(line, [{ span, bytes: JSON.stringify(id) }]);
    // SDK servers tell of a task before they answer the call that makes it: then it is of whoever calls.
    const known = this.components.owners.ofTask(upstream, id);
    const caller = known === 'unknown' ? this.callerAt(received) : undefined;
    const owner = caller === undefined ? known : { client: caller };
    this.deliver(this.liveOwner(owner, upstream), renamed, received);
  }

  /** One of these clients that does not read must not keep the others from hearing the server, so it cannot hold it up. */
  private deliver(
    sessions: readonly Session[],
    line: Buffer,
    { upstream, connection }: ServerEvent<ServerNotification>,
  ): void {
    const isShared = this.live(upstream).length > 1;
    for (const session of sessions) session.deliver(line, connection, isShared);
  }

  private live(upstream: Upstream): readonly Session[] {
    return this.seeing(upstream).filter(({ isLive }) => isLive);
  }

  /** Nobody else hears of the server, or is asked by it. */
  private seeing(upstream: Upstream): readonly Session[] {
    return [...this.components.sessions].filter((session) => session.scope.sees(upstream.scope));
  }

  /** Those that see the server. */
  private listening({ upstream }: ServerEvent<ServerNotification>): readonly Session[] {
    return this.live(upstream).filter(({ view }) => view.sees(upstream));
  }

  /** The session that something belongs to; when that is not known, the only one there is. */
  private liveOwner(owner: Owner, upstream: Upstream): readonly Session[] {
    const live = this.live(upstream);
    if (owner === 'gone') return [];
    if (owner !== 'unknown') return live.filter((session) => session === owner.client);
    return live.length === 1 ? live : [];
  }
}

function denial(kind: ClientRequestKind): RpcError {
  const message = `mcpmux: this server may not ask the client for ${kind} (denyRequests in its configuration)`;
  return { code: ErrorCode.MethodNotFound, message };
}

function refuse(connection: Connection, id: RawId, error: RpcError): void {
  connection.send(errorLine(id, error));
}

/** `logger` becomes `{server}` or `{server}/{logger}`: a client that sees one server must be able to tell whose it is. */
function loggerLabel(received: ServerEvent<ServerNotification>): readonly Edit[] {
  const { params } = received.message;
  const name = JSON.stringify(received.upstream.name);
  const logger = params.get('logger');
  if (logger !== undefined) {
    const isText = textOf(received, 'logger') !== undefined;
    return isText ? [insertion(logger.start + 1, `${name.slice(1, -1)}/`)] : [];
  }
  const level = params.get('level');
  return level === undefined ? [] : [insertion(level.end, `,"logger":${name}`)];
}

function insertion(at: number, text: string): Edit {
  return { span: { start: at, end: at }, bytes: text };
}

function textOf(
  { line, message }: ServerEvent<ServerNotification | ServerRequest>,
  path: string,
): string | undefined {
  const span = message.params.get(path);
  return span && stringAt(line, span);
}
