import type { AllLimits } from '@mcpmux/kit';
import { ErrorCode, errorLine, type RawId, type RpcError, paramText } from '@mcpmux/wire';
import { AMBIGUOUS, ownerOfRequest } from '../../catalog/routing/owner-of-request.js';
import { deniedKind, missingCapability } from '../../server/dialect/client-requests.js';
import type { Connection } from '../../server/link/connection.js';
import type { CallOrigin } from '../../server/link/pending-call.js';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { Upstream } from '../../server/upstream.js';
import type { ServerRequestEvent, Asker } from '../asks/asker.js';
import type { Owner } from '../caller/affinity.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import { Exchange } from '../request/exchange.js';
import type { Audience } from './audience.js';
import type { Session } from './session.js';
import { SessionAsker, type SessionAnswers } from './session-asker.js';
import type { ModernRequests } from '../modern/modern-requests.js';
import { clientTaskId } from '../../server/client-task-id.js';
import { isSessionInstance } from '../../server/config/isolation.js';

const NO_QUESTIONS = 'the request in flight cannot be answered with questions';

/** The client that a server asks, or a refusal. `isIdle` is true if no request has caused the question. */
type RequestOwner = { readonly asker: Asker } | { readonly refusal: string; readonly isIdle?: boolean };

/** The dependencies of {@link ServerAsks}. */
export interface ServerAskParts extends SessionAnswers {
  readonly audience: Audience;
  readonly limits: Pick<AllLimits, 'maxAskedPerClient'>;
  readonly dialect: Pick<ClientDialect, 'era' | 'rootsRequest' | 'concernsTask'>;
  readonly modern: Pick<ModernRequests, 'deferRequest' | 'taskAsker'>;
  readonly rootsAskers: Pick<RootsAskers, 'note'>;
}

/** Sends each request from a server to its client, or refuses the request. */
export class ServerAsks {
  constructor(private readonly parts: ServerAskParts) {}

  request(ask: ServerRequestEvent, id: RawId): void {
    const { upstream, message, connection } = ask;
    const { method } = message;
    const { denyRequests } = upstream.config;
    const denied = denyRequests && deniedKind(method, denyRequests);
    if (denied !== undefined) {
      const problem = `mcpmux: this server may not ask the client for ${denied} (denyRequests in its configuration)`;
      return refuse(ask, id, { code: ErrorCode.MethodNotFound, message: problem });
    }
    const { dialect, rootsAskers, modern } = this.parts;
    if (method === dialect.rootsRequest) rootsAskers.note(upstream, connection);
    const owner = this.ownerOf(ask);
    if ('asker' in owner) return this.put(owner.asker, ask, id);
    if (owner.isIdle !== true || !modern.deferRequest(ask, id)) refuse(ask, id, unanswerable(owner.refusal));
  }

  /** Sends a question to a client, or refuses it if the client cannot answer it. */
  private put(asker: Asker, ask: ServerRequestEvent, id: RawId): void {
    const { connection, line, message } = ask;
    const missing = missingCapability(line, message.method, message.params, asker.capabilities);
    if (missing !== undefined) {
      asker.missingCapability(ask);
      return refuse(ask, id, missing);
    }
    const cached = asker.cachedAnswer(ask, id);
    if (cached !== undefined) return connection.send(cached);
    const { maxAskedPerClient: most } = this.parts.limits;
    if (asker.size < most) return asker.ask(ask, id);
    refuse(ask, id, unanswerable(`the client has not answered ${most} requests of servers`));
  }

  /** Finds the client by the task that the request belongs to or asks about, otherwise by the calls in flight. */
  private ownerOf(ask: ServerRequestEvent): RequestOwner {
    const { upstream, connection, line, message } = ask;
    const { affinity, dialect, audience, modern } = this.parts;
    const related = paramText(line, message, RELATED_TASK_PATH);
    const taskAsker = related === undefined ? undefined : modern.taskAsker(connection, related);
    if (taskAsker !== undefined) return { asker: taskAsker };
    const clientTask = dialect.concernsTask(message.method) ? paramText(line, message, 'taskId') : undefined;
    let owner: Owner<Session> = 'unknown';
    if (related !== undefined) owner = affinity.ownerOfTask(upstream, clientTaskId(upstream, related));
    if (owner === 'unknown' && clientTask !== undefined)
      owner = affinity.ownerOfClientTask(connection, clientTask);
    // A task of a disconnected client does not pass to any other client.
    if (owner === 'gone') return { refusal: 'the client that made the task has gone' };
    if (owner !== 'unknown') return { asker: this.sessionAsker(owner.client) };
    const pendingOwner = this.pendingOwner(ask);
    if (pendingOwner !== undefined) return pendingOwner;
    const initialized = (): readonly Session[] =>
      audience.sessionsSeeing(upstream).filter(({ profile }) => profile !== undefined);
    const caller = ownerOfRequest<object, CallOrigin>(connection.calls.exchanges(), audience, initialized);
    if ('refusal' in caller) return caller.refusal === AMBIGUOUS ? caller : { ...caller, isIdle: true };
    const { client } = caller;
    return audience.isSession(client) ? { asker: this.sessionAsker(client) } : { refusal: NO_QUESTIONS };
  }

  private sessionAsker(client: Session): Asker {
    return new SessionAsker(client, this.parts);
  }

  /**
   * Returns the request in flight that caused the question, from the requests whose answers can carry questions. If one
   * client has several such requests, returns the latest that can carry this question, because servers do not name the
   * request. Refuses the question if several clients may have caused it.
   */
  private pendingOwner({ connection, line, message }: ServerRequestEvent): RequestOwner | undefined {
    const { askers, clients } = this.candidates(connection);
    const last = askers.at(-1);
    if (last === undefined) return undefined;
    if (clients.size > 1) return { refusal: AMBIGUOUS };
    const { method, params } = message;
    const capable = askers.findLast(
      ({ capabilities }) => missingCapability(line, method, params, capabilities) === undefined,
    );
    return { asker: capable ?? last };
  }

  /**
   * Returns the requests that may have caused the question, and their clients. A request that waits for its client is
   * included only if no other work is in flight.
   */
  private candidates({ calls }: Connection) {
    const { audience, dialect } = this.parts;
    const requests: Asker[] = [];
    const sessions: object[] = [];
    for (const origin of calls.exchanges()) {
      const exchange = origin instanceof Exchange ? origin : undefined;
      if (exchange?.asker !== undefined) requests.push(exchange.asker);
      else if (exchange?.caller.era === dialect.era && audience.has(origin.client))
        sessions.push(origin.client);
    }
    const active = requests.filter(({ isWaiting }) => !isWaiting);
    const askers = active.length > 0 || sessions.length > 0 ? active : requests;
    return { askers, clients: new Set([...sessions, ...askers.map(({ client }) => client)]) };
  }
}

function unanswerable(problem: string): RpcError {
  return { code: ErrorCode.InternalError, message: `mcpmux: ${problem}` };
}

function refuse({ connection }: ServerRequestEvent, id: RawId, error: RpcError): void {
  connection.send(errorLine(id, error));
}

/** Finds servers of the host that serve several clients but request the roots of one client. */
export class RootsAskers {
  private readonly noted = new WeakSet<Connection>();

  /** @param onFound called once for each connection that requests roots, as soon as no request is in flight on it */
  constructor(private readonly onFound: (upstream: Upstream) => void) {}

  note(upstream: Upstream, connection: Connection): void {
    if (upstream.addedBy !== undefined || isSessionInstance(upstream) || this.noted.has(connection)) return;
    this.noted.add(connection);
    void connection.calls.whenIdle().then(() => this.onFound(upstream));
  }
}
