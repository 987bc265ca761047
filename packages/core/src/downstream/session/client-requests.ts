import { type OutgoingLine, type RawId, resultBytesLine, resultLine } from '@mcpmux/wire';
import type { Clock } from '../../base/clock.js';
import type { GuardList } from '../../guards/guard-list.js';
import type { Limits } from '../../base/limits.js';
import type { Logger } from '../../base/logger.js';
import { routeRequest, type RequestRoute } from '../../routing/route-request.js';
import type { SupervisorOf } from '../../registry/supervisor.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { ListKind } from '../../upstream/lists/list-kind.js';
import { paramsOf } from '../../base/params.js';
import type { CallObserver } from '../request/call-observer.js';
import { tooManyInFlight, type ClientLoad } from './client-bound.js';
import { invalidParams, textParam, type ClientRequest, type Outcome } from '../request/client-request.js';
import { complete } from '../methods/completion.js';
import { failureAnswer, toolFailureAnswer } from '../request/failure-answer.js';
import { Forwarder } from '../request/forwarder.js';
import { GuardedRequests } from '../request/guarded-requests.js';
import { isProtocolLogLevel, type ProtocolLogLevel } from '../caller/log-level.js';
import { requestOther } from '../methods/other-requests.js';
import type { Affinity } from '../caller/affinity.js';
import type { OwnToolHandler } from '../caller/own-tool-handler.js';
import { getPrompt } from '../methods/prompt-getter.js';
import { ResourceRequests } from '../methods/resource-requests.js';
import type { CallerView } from '../caller/caller-view.js';
import type { Subscriptions } from '../methods/subscriptions.js';
import type { Requester } from '../request/request-context.js';
import type { SubjectSources } from '../request/request-subject.js';
import { RevivedRequest } from '../request/revived-request.js';
import { TaskRequests } from '../methods/task-requests.js';
import { ToolCaller, type ToolCallerOwner } from '../methods/tool-caller.js';

/** What the requests of clients are carried out with. Shared by all sessions of a mux, but for the view. */
export interface ClientRequestComponents {
  readonly view: CallerView;
  /** What no guard has taken anything out of. */
  readonly whole: SubjectSources;
  readonly ownTools: OwnToolHandler;
  readonly subscriptions: Subscriptions;
  readonly owners: Affinity;
  readonly guards: GuardList;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Is told of calls on their way. */
  readonly calls?: CallObserver | undefined;
  readonly supervisorOf: SupervisorOf;
  /** The result of `initialize` for a client that sent these params, JSON. */
  readonly initializeResult: (
    params: Readonly<Record<string, unknown>>,
    seen: (upstream: Upstream) => boolean,
  ) => string;
}

/** What {@link ClientRequests} need of the session whose requests they carry out. */
export interface RequestingSession extends ToolCallerOwner, Requester {
  /** How many of its requests are not answered yet. */
  readonly requestsInFlight: number;
  /** The client has introduced itself: the params of its `initialize`. */
  greeted(params: Readonly<Record<string, unknown>>): void;
  wantsLogs(level: ProtocolLogLevel): void;
}

/** Carries out the requests of one session: each is answered at once, or comes in flight. */
export class ClientRequests {
  private readonly forwarder: Forwarder;
  private readonly tools: ToolCaller;
  private readonly resources: ResourceRequests;
  private readonly tasks: TaskRequests;
  private readonly guarded: GuardedRequests;

  constructor(
    private readonly session: RequestingSession,
    private readonly components: ClientRequestComponents,
  ) {
    const { view, whole } = components;
    const seen = { ...components, directory: view.directory, catalog: view.catalog };
    this.forwarder = new Forwarder(session, components);
    this.tools = new ToolCaller(session, this.forwarder, seen);
    this.resources = new ResourceRequests(session, this.forwarder, seen);
    this.tasks = new TaskRequests(session, this.forwarder, seen);
    this.guarded = new GuardedRequests(session, { ...components, seen: view, whole });
  }

  carryOut(request: ClientRequest): Outcome {
    const route = routeRequest(request.method);
    const refusal = tooManyInFlight(request, route.kind, this.load, this.components.view.directory);
    if (refusal !== undefined) return { answer: refusal };
    const guards = this.guarded.guardsOf(request);
    return guards === undefined
      ? this.carryOutNow(request, route)
      : this.guarded.bring(request, route.kind, guards, () => this.carryOutNow(request, route));
  }

  /** True for an answer that guards want to see before the client does: they have it now. */
  takes(id: RawId, line: () => OutgoingLine): boolean {
    return this.guarded.takes(id, line);
  }

  private carryOutNow(request: ClientRequest, route: RequestRoute): Outcome {
    const outcome = this.dispatch(request, route);
    const server = 'answer' in outcome ? outcome.notRunning : undefined;
    const started = server && this.components.supervisorOf(server)?.wake();
    if (server === undefined || started === undefined) return outcome;
    const failure = route.kind === 'call-tool' ? toolFailureAnswer : failureAnswer;
    const waiting = new RevivedRequest(this.session, {
      id: request.id,
      carryOut: () => this.dispatch(request, route),
      expired: () => failure(request.id, server.name, { kind: 'shut-down' }),
    });
    void waiting.waitFor(started);
    return { inFlight: waiting };
  }

  private dispatch(request: ClientRequest, route: RequestRoute): Outcome {
    const { forwarder, components } = this;
    const { directory, catalog } = components.view;
    switch (route.kind) {
      case 'initialize':
        return this.initialize(request);
      case 'ping':
        return { answer: resultLine(request.id, '{}') };
      case 'list':
        return this.list(request, route.list);
      case 'call-tool':
        return this.tools.call(request);
      case 'get-prompt':
        return getPrompt(request, forwarder, directory, catalog);
      case 'read-resource':
        return this.resources.read(request);
      case 'subscribe':
        return this.resources.subscribe(request);
      case 'unsubscribe':
        return this.resources.unsubscribe(request);
      case 'complete':
        return complete(request, forwarder, directory, catalog);
      case 'set-level':
        return this.setLevel(request);
      case 'task':
        return this.tasks.forward(request);
      case 'list-tasks':
        return this.tasks.list(request);
      case 'other':
        return requestOther(request, forwarder, directory, catalog);
    }
  }

  private get load(): ClientLoad {
    return {
      inFlight: this.session.requestsInFlight,
      limit: this.components.limits.maxPendingPerClient,
    };
  }

  private initialize({ id, line }: ClientRequest): Outcome {
    const params = paramsOf(line);
    this.session.greeted(params);
    const { view, initializeResult } = this.components;
    return {
      answer: resultLine(
        id,
        initializeResult(params, (upstream) => view.sees(upstream)),
      ),
    };
  }

  private list(request: ClientRequest, kind: ListKind): Outcome {
    const { id, params } = request;
    const cursor = textParam(request, 'cursor')?.text;
    const isNoText = cursor === undefined && params.has('cursor');
    const page = isNoText ? undefined : this.components.view.catalog.page(kind, cursor);
    return page === undefined
      ? invalidParams(id, 'Unknown cursor: begin again without one')
      : { answer: resultBytesLine(id, page) };
  }

  private setLevel(request: ClientRequest): Outcome {
    const level = textParam(request, 'level')?.text;
    if (!isProtocolLogLevel(level))
      return invalidParams(request.id, 'params.level is no level of the specification');
    this.session.wantsLogs(level);
    return { answer: resultLine(request.id, '{}') };
  }
}
