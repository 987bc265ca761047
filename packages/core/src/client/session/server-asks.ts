import type { Limits } from '@mcpmux/kit';
import { ErrorCode, errorLine, type RawId, type RpcError, paramText } from '@mcpmux/wire';
import { AMBIGUOUS, ownerOfRequest } from '../../catalog/routing/owner-of-request.js';
import { deniedKind, missingCapability } from '../../server/dialect/client-requests.js';
import type { Connection } from '../../server/link/connection.js';
import type { CallOrigin, ServerRequest } from '../../server/link/pending-call.js';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import { relatedTaskBack, serverRequestEdits, taskMadeIn } from '../asks/server-request-edits.js';
import type { QuestionSink } from '../asks/question-sink.js';
import type { Affinity, Owner } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import type { RootsCache } from '../caller/roots-cache.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import { Exchange } from '../request/exchange.js';
import type { Audience } from './audience.js';
import type { Session } from './session.js';
import type { StatelessRequests } from './stateless-requests.js';
import { clientTaskId } from '../../server/client-task-id.js';
import { isSessionInstance } from '../../server/config/isolation.js';

type Ask = ServerEvent<Upstream, ServerRequest>;

const NO_QUESTIONS = 'the request in flight cannot be answered with questions';

/** The client that a server asks. `isIdle` is true if no request caused the question. */
type AskOwner =
  | { readonly client: Session }
  | { readonly asked: QuestionSink }
  | { readonly refusal: string; readonly isIdle?: boolean };

/** The dependencies of {@link ServerAsks}. */
export interface ServerAskParts {
  readonly audience: Audience;
  readonly roots: RootsCache<Caller>;
  readonly affinity: Affinity<Session>;
  readonly limits: Pick<Limits, 'maxAskedPerClient'>;
  readonly dialect: Pick<ClientDialect, 'era' | 'rootsRequest' | 'asksAboutTask'>;
  readonly stateless: Pick<StatelessRequests, 'deferRequest' | 'asksOfTask'>;
  readonly rootsAskers: Pick<RootsAskers, 'asked'>;
}

/** Sends each request from a server to the client that it is for, or refuses it. */
export class ServerAsks {
  constructor(private readonly parts: ServerAskParts) {}

  request(received: Ask, id: RawId): void {
    const { upstream, message, connection } = received;
    const { method } = message;
    const { denyRequests } = upstream.config;
    const denied = denyRequests && deniedKind(method, denyRequests);
    if (denied !== undefined) {
      const problem = `mcpmux: this server may not ask the client for ${denied} (denyRequests in its configuration)`;
      return refuse(received, id, { code: ErrorCode.MethodNotFound, message: problem });
    }
    const { dialect, rootsAskers } = this.parts;
    if (method === dialect.rootsRequest) rootsAskers.asked(upstream, connection);
    const owner = this.ownerOf(received);
    if ('refusal' in owner) {
      if (owner.isIdle === true && this.parts.stateless.deferRequest(received, id)) return;
      return refuse(received, id, unanswerable(owner.refusal));
    }
    if ('asked' in owner) this.askRequest(owner.asked, received, id);
    else this.askSession(owner.client, received, id);
  }

  /** Asks the client in the answer to its request. */
  private askRequest(asked: QuestionSink, received: Ask, serverId: RawId): void {
    const { connection, line, message: request } = received;
    const { method, params } = request;
    const { capabilities } = asked.profile;
    const missing = missingCapability(line, method, params, capabilities);
    if (missing !== undefined) {
      asked.missingCapability(line, request);
      return refuse(received, serverId, missing);
    }
    const known = asked.known(method, serverId);
    if (known !== undefined) return connection.send(known);
    const { maxAskedPerClient: most } = this.parts.limits;
    if (asked.size >= most)
      return refuse(
        received,
        serverId,
        unanswerable(`the client has not answered ${most} requests of servers`),
      );
    const edits = serverRequestEdits(received, capabilities);
    asked.ask(connection, { line, request, serverId, edits, readResult: () => [] });
  }

  private askSession(session: Session, received: Ask, id: RawId): void {
    const { connection, line, upstream, message } = received;
    const { method, params } = message;
    const missing = missingCapability(line, method, params, session.profile?.capabilities ?? {});
    if (missing !== undefined) return refuse(received, id, missing);
    const { roots, dialect } = this.parts;
    const known =
      method === dialect.rootsRequest ? roots.answer(session, id, upstream, connection) : undefined;
    if (known !== undefined) return connection.send(known);
    const { maxAskedPerClient: most } = this.parts.limits;
    if (session.asked.size >= most)
      return refuse(received, id, unanswerable(`the client has not answered ${most} requests of servers`));
    this.ask(session, received, id);
  }

  private ask(session: Session, received: Ask, serverId: RawId): void {
    const { connection, line, message: request, upstream } = received;
    const { roots, affinity, dialect } = this.parts;
    const { method, params } = request;
    const elicitation = paramText(line, request, 'elicitationId');
    if (elicitation !== undefined) affinity.elicited(session, upstream, elicitation);
    session.asked.ask(connection, {
      line,
      request,
      serverId,
      edits: serverRequestEdits(received, session.profile?.capabilities ?? {}),
      readResult: (answer, result) => {
        if (method === dialect.rootsRequest) roots.keep(session, answer, result);
        const task = params.has('task') ? taskMadeIn(answer, result) : undefined;
        if (task !== undefined) affinity.clientTaskMade(session, connection, task);
        return params.has(RELATED_TASK_PATH) ? relatedTaskBack(answer, result) : [];
      },
    });
  }

  /** Finds the client by the task that the request belongs to or asks about, otherwise by the calls in flight. */
  private ownerOf(received: Ask): AskOwner {
    const { upstream, connection, line, message } = received;
    const { affinity, dialect, audience, stateless } = this.parts;
    const related = paramText(line, message, RELATED_TASK_PATH);
    const ofTask = related === undefined ? undefined : stateless.asksOfTask(connection, related);
    if (ofTask !== undefined) return { asked: ofTask };
    const asked = dialect.asksAboutTask(message.method) ? paramText(line, message, 'taskId') : undefined;
    let owner: Owner<Session> = 'unknown';
    if (related !== undefined) owner = affinity.ofTask(upstream, clientTaskId(upstream, related));
    if (owner === 'unknown' && asked !== undefined) owner = affinity.ofClientTask(connection, asked);
    // A task of a client that has gone does not pass to any other client.
    if (owner === 'gone') return { refusal: 'the client that made the task has gone' };
    if (owner !== 'unknown') return owner;
    const within = this.requestBehind(received);
    if (within !== undefined) return within;
    const greetedOf = (): readonly Session[] =>
      audience.seeing(upstream).filter(({ profile }) => profile !== undefined);
    const found = ownerOfRequest<object, CallOrigin>(connection.calls.exchanges(), audience, greetedOf);
    if ('refusal' in found) return found.refusal === AMBIGUOUS ? found : { ...found, isIdle: true };
    const { client } = found;
    return audience.isSession(client) ? { client } : { refusal: NO_QUESTIONS };
  }

  /**
   * Returns the request in flight that made the server ask, among the requests whose clients are asked in the answer.
   * If one client has several, it is the last one that can be asked this, because the server does not say which one it
   * means. Another client is never asked.
   */
  private requestBehind({ connection, line, message }: Ask): AskOwner | undefined {
    const { all, clients } = this.candidates(connection);
    const last = all.at(-1);
    if (last === undefined) return undefined;
    if (clients.size > 1) return { refusal: AMBIGUOUS };
    const { method, params } = message;
    const able = all.findLast(
      ({ profile }) => missingCapability(line, method, params, profile.capabilities) === undefined,
    );
    return { asked: able ?? last };
  }

  /**
   * Returns the requests that can have made the server ask, and their clients. A request that waits for its client does
   * not cause new questions.
   */
  private candidates({ calls }: Connection) {
    const { audience, dialect } = this.parts;
    const asked: QuestionSink[] = [];
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

/** Finds servers of the host that request the roots of one client although they serve several clients. */
export class RootsAskers {
  private readonly known = new WeakSet<Connection>();

  /** @param found called once for each connection, with the server, when it has no request in flight */
  constructor(private readonly found: (upstream: Upstream) => void) {}

  asked(upstream: Upstream, connection: Connection): void {
    if (upstream.addedBy !== undefined || isSessionInstance(upstream) || this.known.has(connection)) return;
    this.known.add(connection);
    void connection.calls.whenIdle().then(() => this.found(upstream));
  }
}
