import type { AllLimits } from '@mcpmux/kit';
import { ErrorCode, errorLine, type RawId, type RpcError, paramText } from '@mcpmux/wire';
import { AMBIGUOUS, ownerOfRequest } from '../../catalog/routing/owner-of-request.js';
import { deniedKind, missingCapability } from '../../server/dialect/client-requests.js';
import type { Connection } from '../../server/link/connection.js';
import type { CallOrigin } from '../../server/link/pending-call.js';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { Upstream } from '../../server/upstream.js';
import type { Ask, Asker } from '../asks/asker.js';
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
type AskOwner = { readonly asker: Asker } | { readonly refusal: string; readonly isIdle?: boolean };

/** The dependencies of {@link ServerAsks}. */
export interface ServerAskParts extends SessionAnswers {
  readonly audience: Audience;
  readonly limits: Pick<AllLimits, 'maxAskedPerClient'>;
  readonly dialect: Pick<ClientDialect, 'era' | 'rootsRequest' | 'asksAboutTask'>;
  readonly modern: Pick<ModernRequests, 'deferRequest' | 'asksOfTask'>;
  readonly rootsAskers: Pick<RootsAskers, 'asked'>;
}

/** Sends each request from a server to its client, or refuses the request. */
export class ServerAsks {
  constructor(private readonly parts: ServerAskParts) {}

  request(ask: Ask, id: RawId): void {
    const { upstream, message, connection } = ask;
    const { method } = message;
    const { denyRequests } = upstream.config;
    const denied = denyRequests && deniedKind(method, denyRequests);
    if (denied !== undefined) {
      const problem = `mcpmux: this server may not ask the client for ${denied} (denyRequests in its configuration)`;
      return refuse(ask, id, { code: ErrorCode.MethodNotFound, message: problem });
    }
    const { dialect, rootsAskers, modern } = this.parts;
    if (method === dialect.rootsRequest) rootsAskers.asked(upstream, connection);
    const owner = this.ownerOf(ask);
    if ('asker' in owner) return this.put(owner.asker, ask, id);
    if (owner.isIdle !== true || !modern.deferRequest(ask, id)) refuse(ask, id, unanswerable(owner.refusal));
  }

  /** Sends a question to a client, or refuses it if the client cannot answer it. */
  private put(asker: Asker, ask: Ask, id: RawId): void {
    const { connection, line, message } = ask;
    const missing = missingCapability(line, message.method, message.params, asker.capabilities);
    if (missing !== undefined) {
      asker.missingCapability(ask);
      return refuse(ask, id, missing);
    }
    const known = asker.known(ask, id);
    if (known !== undefined) return connection.send(known);
    const { maxAskedPerClient: most } = this.parts.limits;
    if (asker.size < most) return asker.ask(ask, id);
    refuse(ask, id, unanswerable(`the client has not answered ${most} requests of servers`));
  }

  /** Finds the client by the task that the request belongs to or asks about, otherwise by the calls in flight. */
  private ownerOf(ask: Ask): AskOwner {
    const { upstream, connection, line, message } = ask;
    const { affinity, dialect, audience, modern } = this.parts;
    const related = paramText(line, message, RELATED_TASK_PATH);
    const ofTask = related === undefined ? undefined : modern.asksOfTask(connection, related);
    if (ofTask !== undefined) return { asker: ofTask };
    const asked = dialect.asksAboutTask(message.method) ? paramText(line, message, 'taskId') : undefined;
    let owner: Owner<Session> = 'unknown';
    if (related !== undefined) owner = affinity.ofTask(upstream, clientTaskId(upstream, related));
    if (owner === 'unknown' && asked !== undefined) owner = affinity.ofClientTask(connection, asked);
    // A task of a disconnected client does not pass to any other client.
    if (owner === 'gone') return { refusal: 'the client that made the task has gone' };
    if (owner !== 'unknown') return { asker: this.sessionAsker(owner.client) };
    const within = this.requestBehind(ask);
    if (within !== undefined) return within;
    const greetedOf = (): readonly Session[] =>
      audience.seeing(upstream).filter(({ profile }) => profile !== undefined);
    const found = ownerOfRequest<object, CallOrigin>(connection.calls.exchanges(), audience, greetedOf);
    if ('refusal' in found) return found.refusal === AMBIGUOUS ? found : { ...found, isIdle: true };
    const { client } = found;
    return audience.isSession(client) ? { asker: this.sessionAsker(client) } : { refusal: NO_QUESTIONS };
  }

  private sessionAsker(client: Session): Asker {
    return new SessionAsker(client, this.parts);
  }

  /**
   * Returns the request in flight that caused the question, from the requests whose answers can carry questions. If one
   * client has several such requests, returns the latest that can carry this question, because servers do not name the
   * request. Another client is never asked.
   */
  private requestBehind({ connection, line, message }: Ask): AskOwner | undefined {
    const { all, clients } = this.candidates(connection);
    const last = all.at(-1);
    if (last === undefined) return undefined;
    if (clients.size > 1) return { refusal: AMBIGUOUS };
    const { method, params } = message;
    const able = all.findLast(
      ({ capabilities }) => missingCapability(line, method, params, capabilities) === undefined,
    );
    return { asker: able ?? last };
  }

  /**
   * Returns the requests that may have caused the question, and their clients. A request that waits for its client does
   * not cause new questions.
   */
  private candidates({ calls }: Connection) {
    const { audience, dialect } = this.parts;
    const asked: Asker[] = [];
    const sessions: object[] = [];
    for (const origin of calls.exchanges()) {
      const exchange = origin instanceof Exchange ? origin : undefined;
      if (exchange?.asked !== undefined) asked.push(exchange.asked);
      else if (exchange?.caller.era === dialect.era && audience.has(origin.client))
        sessions.push(origin.client);
    }
    const busy = asked.filter(({ isWaiting }) => !isWaiting);
    const all = busy.length > 0 || sessions.length > 0 ? busy : asked;
    return { all, clients: new Set([...sessions, ...all.map(({ client }) => client)]) };
  }
}

function unanswerable(problem: string): RpcError {
  return { code: ErrorCode.InternalError, message: `mcpmux: ${problem}` };
}

function refuse({ connection }: Ask, id: RawId, error: RpcError): void {
  connection.send(errorLine(id, error));
}

/** Finds servers of the host that serve several clients but request the roots of one client. */
export class RootsAskers {
  private readonly known = new WeakSet<Connection>();

  /** @param found called once for the server of each connection, when the connection has no request in flight */
  constructor(private readonly found: (upstream: Upstream) => void) {}

  asked(upstream: Upstream, connection: Connection): void {
    if (upstream.addedBy !== undefined || isSessionInstance(upstream) || this.known.has(connection)) return;
    this.known.add(connection);
    void connection.calls.whenIdle().then(() => this.found(upstream));
  }
}
