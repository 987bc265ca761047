import type { AllLimits } from '@mcpmux/kit';
import { ErrorCode, errorLine, type RawId, type RpcError, paramText } from '@mcpmux/wire';
import { AMBIGUITY, ownerOfRequest } from '../../catalog/routing/owner-of-request.js';
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
import { SessionAsker, type SessionAskerParts } from './session-asker.js';
import type { ModernRequests } from '../modern/modern-requests.js';
import { clientTaskId } from '../../server/client-task-id.js';
import { isSessionInstance } from '../../server/config/isolation.js';

const NO_QUESTIONS = 'the request in flight cannot be answered with questions';

/** The client to ask, or why the question is rejected. `isIdle` is true if no request in flight can have caused it. */
type RequestOwner = { readonly asker: Asker } | { readonly refusal: string; readonly isIdle?: boolean };

/** The dependencies of {@link QuestionRouter}. */
export interface QuestionRouterParts extends SessionAskerParts {
  readonly audience: Audience;
  readonly limits: Pick<AllLimits, 'maxAskedPerClient'>;
  readonly dialect: Pick<ClientDialect, 'era' | 'rootsMethod' | 'concernsTask'>;
  readonly modern: Pick<ModernRequests, 'deferRequest' | 'taskAsker'>;
  readonly rootsRequesters: Pick<RootsRequesters, 'addRequester'>;
}

/** Routes each server request to the client that must answer it, or rejects the request. */
export class QuestionRouter {
  constructor(private readonly parts: QuestionRouterParts) {}

  handleRequest(ask: ServerRequestEvent, id: RawId): void {
    const { upstream, message, connection } = ask;
    const { method } = message;
    const { denyRequests } = upstream.config;
    const deniedInput = denyRequests && deniedKind(method, denyRequests);
    if (deniedInput !== undefined) {
      const problem = `mcpmux: this server may not ask the client for ${deniedInput} (denyRequests in its configuration)`;
      return refuse(ask, id, { code: ErrorCode.MethodNotFound, message: problem });
    }
    const { dialect, rootsRequesters, modern } = this.parts;
    if (method === dialect.rootsMethod) rootsRequesters.addRequester(upstream, connection);
    const owner = this.ownerOf(ask);
    if ('asker' in owner) return this.askOrRefuse(owner.asker, ask, id);
    if (owner.isIdle !== true || !modern.deferRequest(ask, id))
      refuse(ask, id, unanswerableError(owner.refusal));
  }

  /** Sends a question to a client, or rejects it if the client cannot answer it. */
  private askOrRefuse(asker: Asker, ask: ServerRequestEvent, id: RawId): void {
    const { connection, line, message } = ask;
    const missingError = missingCapability(line, message.method, message.params, asker.capabilities);
    if (missingError !== undefined) {
      asker.recordMissingCapability(ask);
      return refuse(ask, id, missingError);
    }
    const cachedAnswer = asker.cachedAnswer(ask, id);
    if (cachedAnswer !== undefined) return connection.send(cachedAnswer);
    const { maxAskedPerClient: limit } = this.parts.limits;
    if (asker.pendingCount < limit) return asker.ask(ask, id);
    refuse(ask, id, unanswerableError(`the client has not answered ${limit} requests of servers`));
  }

  /** Finds the client by the task to which the request belongs or refers, otherwise by the calls in flight. */
  private ownerOf(ask: ServerRequestEvent): RequestOwner {
    const { upstream, connection, line, message } = ask;
    const { affinity, dialect, audience, modern } = this.parts;
    const relatedTaskId = paramText(line, message, RELATED_TASK_PATH);
    const taskAsker = relatedTaskId === undefined ? undefined : modern.taskAsker(connection, relatedTaskId);
    if (taskAsker !== undefined) return { asker: taskAsker };
    const clientTask = dialect.concernsTask(message.method) ? paramText(line, message, 'taskId') : undefined;
    let owner: Owner<Session> = 'unknown';
    if (relatedTaskId !== undefined)
      owner = affinity.ownerOfTask(upstream, clientTaskId(upstream, relatedTaskId));
    if (owner === 'unknown' && clientTask !== undefined)
      owner = affinity.ownerOfClientTask(connection, clientTask);
    // A disconnected client's task is not passed on to another client.
    if (owner === 'gone') return { refusal: 'the client that made the task has gone' };
    if (owner !== 'unknown') return { asker: this.sessionAsker(owner.client) };
    const pendingOwner = this.pendingOwner(ask);
    if (pendingOwner !== undefined) return pendingOwner;
    const initialized = (): readonly Session[] =>
      audience.sessionsSeeing(upstream).filter(({ profile }) => profile !== undefined);
    const caller = ownerOfRequest<object, CallOrigin>(connection.calls.callOrigins(), audience, initialized);
    if ('refusal' in caller) return caller.refusal === AMBIGUITY ? caller : { ...caller, isIdle: true };
    const { client } = caller;
    return audience.isSession(client) ? { asker: this.sessionAsker(client) } : { refusal: NO_QUESTIONS };
  }

  private sessionAsker(client: Session): Asker {
    return new SessionAsker(client, this.parts);
  }

  /**
   * Finds the client whose request in flight caused the question. Servers do not name that request, so if one client
   * has several, the latest that can carry this question is chosen. If several clients may have caused the question, it
   * is rejected.
   */
  private pendingOwner({ connection, line, message }: ServerRequestEvent): RequestOwner | undefined {
    const { askers, clients } = this.candidates(connection);
    const lastAsker = askers.at(-1);
    if (lastAsker === undefined) return undefined;
    if (clients.size > 1) return { refusal: AMBIGUITY };
    const { method, params } = message;
    const capableAsker = askers.findLast(
      ({ capabilities }) => missingCapability(line, method, params, capabilities) === undefined,
    );
    return { asker: capableAsker ?? lastAsker };
  }

  /**
   * Returns the askers of the requests that may have caused the question, and their clients. Requests that are waiting
   * for their client are included only if no other work is in flight.
   */
  private candidates({ calls }: Connection) {
    const { audience, dialect } = this.parts;
    const requestAskers: Asker[] = [];
    const sessionClients: object[] = [];
    for (const origin of calls.callOrigins()) {
      const exchange = origin instanceof Exchange ? origin : undefined;
      if (exchange?.asker !== undefined) requestAskers.push(exchange.asker);
      else if (exchange?.caller.era === dialect.era && audience.has(origin.client))
        sessionClients.push(origin.client);
    }
    const activeAskers = requestAskers.filter(({ isWaiting }) => !isWaiting);
    const askers = activeAskers.length > 0 || sessionClients.length > 0 ? activeAskers : requestAskers;
    return { askers, clients: new Set([...sessionClients, ...askers.map(({ client }) => client)]) };
  }
}

function unanswerableError(problem: string): RpcError {
  return { code: ErrorCode.InternalError, message: `mcpmux: ${problem}` };
}

function refuse({ connection }: ServerRequestEvent, id: RawId, error: RpcError): void {
  connection.send(errorLine(id, error));
}

/** Finds servers that the host has configured for several clients but that request a single client's roots. */
export class RootsRequesters {
  private readonly recordedConnections = new WeakSet<Connection>();

  /** @param onFound called once for each connection that requests roots, as soon as no request is in flight on it */
  constructor(private readonly onFound: (upstream: Upstream) => void) {}

  addRequester(upstream: Upstream, connection: Connection): void {
    if (
      upstream.addedBy !== undefined ||
      isSessionInstance(upstream) ||
      this.recordedConnections.has(connection)
    )
      return;
    this.recordedConnections.add(connection);
    void connection.calls.whenIdle().then(() => this.onFound(upstream));
  }
}
