import { qualifyTaskId } from '@mcpmux/namespace';

import type { Catalog } from '../catalog/catalog.js';
import type { Limits } from '../limits.js';
import { missingCapability } from '../routing/client-capability.js';
import { ownerOfRequest } from '../routing/owner-of-request.js';
import type { ServerNotification, ServerRequest } from '../upstream/call-sink.js';
import type { Connection } from '../upstream/connection.js';
import type { Received } from '../upstream/received.js';
import { ErrorCode, errorLine, type RpcError } from '../wire/json-rpc.js';
import { stringAt } from '../wire/message.js';
import { RELATED_TASK_PATH } from '../wire/related-task.js';
import type { IdText } from '../wire/request-id.js';
import { splice, type Edit } from '../wire/splice.js';
import { BoundedMap } from './bounded-map.js';
import { passes } from './log-level.js';
import { relatedTaskBack } from './related-task-back.js';
import type { RootsCache } from './roots-cache.js';
import { serverRequestEdits } from './server-request-edits.js';
import type { Session } from './session.js';
import type { Subscriptions } from './subscriptions.js';

/** Tasks and elicitations of which it is remembered whose they are; the oldest give way. */
const MAX_REMEMBERED = 10_000;

/** What {@link ServerMessages} work with. */
export interface ServerMessageComponents {
  readonly sessions: ReadonlySet<Session>;
  readonly subscriptions: Subscriptions;
  readonly catalog: Catalog;
  readonly roots: RootsCache;
  readonly limits: Pick<Limits, 'maxAskedPerClient'>;
}

/** Brings what servers send on their own to the sessions it is for. */
export class ServerMessages {
  /** By the id that clients know. */
  private readonly taskOwners = new BoundedMap<string, Session>(MAX_REMEMBERED);
  /** By server, too: servers choose these ids, and may choose the same. */
  private readonly elicitationOwners = new BoundedMap<string, Session>(MAX_REMEMBERED);

  constructor(private readonly components: ServerMessageComponents) {}

  taskMade(session: Session, id: string): void {
    this.taskOwners.set(id, session);
  }

  notification(received: Received<ServerNotification>): void {
    const { line, connection, message } = received;
    switch (message.method) {
      case 'notifications/message':
        return this.log(received);
      case 'notifications/resources/updated':
        return this.updated(received);
      case 'notifications/elicitation/complete': {
        const key = elicitationKey(received);
        return deliver(this.liveOrOnly(key && this.elicitationOwners.get(key)), splice(line, []), connection);
      }
      case 'notifications/tasks/status':
        return this.taskStatus(received);
      default:
        return deliver(this.live(), splice(line, []), connection);
    }
  }

  request(received: Received<ServerRequest>, id: IdText): void {
    const { connection, line, message } = received;
    const { method, params } = message;
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

  private ask(session: Session, received: Received<ServerRequest>, id: IdText): void {
    const { connection, line, message: request } = received;
    const elicitation = elicitationKey(received);
    if (elicitation !== undefined) this.elicitationOwners.set(elicitation, session);
    session.asked.ask(connection, {
      line,
      request,
      serverId: id,
      edits: serverRequestEdits(received, session.profile?.capabilities ?? {}),
      readResult: (answer, result) => {
        if (request.method === 'roots/list') this.components.roots.keep(session, answer, result);
        return request.params.has(RELATED_TASK_PATH) ? relatedTaskBack(answer, result) : [];
      },
    });
  }

  private ownerOf(received: Received<ServerRequest>): ReturnType<typeof ownerOfRequest<Session>> {
    const { upstream, connection } = received;
    const { sessions } = this.components;
    const task = textOf(received, RELATED_TASK_PATH);
    const byTask = task === undefined ? undefined : this.taskOwners.get(qualifyTaskId(upstream.name, task));
    // A task of a client that has gone is nobody else's.
    if (byTask !== undefined)
      return sessions.has(byTask)
        ? { client: byTask }
        : { refusal: 'the client that made the task has gone' };
    const greeted = [...sessions].filter(({ profile }) => profile !== undefined);
    return ownerOfRequest(connection.readers(), sessions, greeted);
  }

  /** The one client with calls in flight there, if it is one. */
  private callerAt(connection: Connection): Session | undefined {
    const owner = ownerOfRequest(connection.readers(), this.components.sessions, []);
    return 'client' in owner ? owner.client : undefined;
  }

  private log(received: Received<ServerNotification>): void {
    const level = textOf(received, 'level');
    const sessions = this.live().filter(({ logLevel }) => passes(level, logLevel));
    deliver(sessions, splice(received.line, loggerLabel(received)), received.connection);
  }

  private updated(received: Received<ServerNotification>): void {
    const { upstream, connection, line, message } = received;
    const span = message.params.get('uri');
    const uri = textOf(received, 'uri');
    if (span === undefined || uri === undefined) return;
    const { catalog, subscriptions } = this.components;
    const alias = catalog.snapshot().resources.aliasesOf(upstream).get(uri);
    if (alias === undefined) catalog.learned.learn(uri, upstream);
    const edits = alias === undefined ? [] : [{ span, bytes: Buffer.from(JSON.stringify(alias)) }];
    const interested = subscriptions.interestedIn(upstream, uri);
    const live = this.live();
    const subscribed = live.filter((session) => interested.has(session));
    // Without any subscription a single client is told all the same, as it would be by the server itself.
    deliver(subscribed.length > 0 || live.length > 1 ? subscribed : live, splice(line, edits), connection);
  }

  private taskStatus(received: Received<ServerNotification>): void {
    const { upstream, connection, line, message } = received;
    const span = message.params.get('taskId');
    const local = textOf(received, 'taskId');
    if (span === undefined || local === undefined) return;
    const id = qualifyTaskId(upstream.name, local);
    const renamed = splice(line, [{ span, bytes: Buffer.from(JSON.stringify(id)) }]);
    // SDK servers tell of a task before they answer the call that makes it: then it is of whoever calls.
    const owner = this.taskOwners.get(id) ?? this.callerAt(connection);
    deliver(this.liveOrOnly(owner), renamed, connection);
  }

  private live(): readonly Session[] {
    return [...this.components.sessions].filter(({ isLive }) => isLive);
  }

  /** The session that something belongs to; when that is not known, the only one there is. */
  private liveOrOnly(owner: Session | '' | undefined): readonly Session[] {
    const live = this.live();
    if (owner) return live.filter((session) => session === owner);
    return live.length === 1 ? live : [];
  }
}

function deliver(sessions: readonly Session[], line: Buffer, connection: Connection): void {
  for (const session of sessions) session.deliver(line, connection);
}

function refuse(connection: Connection, id: IdText, error: RpcError): void {
  connection.send(errorLine(id, error));
}

/** `logger` becomes `{server}` or `{server}/{logger}`: a client that sees one server must be able to tell whose it is. */
function loggerLabel(received: Received<ServerNotification>): readonly Edit[] {
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
  return { span: { start: at, end: at }, bytes: Buffer.from(text) };
}

function elicitationKey(received: Received<ServerNotification | ServerRequest>): string | undefined {
  const id = textOf(received, 'elicitationId');
  return id === undefined ? undefined : JSON.stringify([received.upstream.name, id]);
}

function textOf(
  { line, message }: Received<ServerNotification | ServerRequest>,
  path: string,
): string | undefined {
  const span = message.params.get(path);
  return span && stringAt(line, span);
}
