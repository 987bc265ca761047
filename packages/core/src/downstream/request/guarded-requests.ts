import type { OutgoingLine, RawId } from '@mcpmux/wire';
import type { GuardList } from '../../guards/guard-list.js';
import type { GuardHandler } from '../../guards/guard.js';
import type { Logger } from '../../base/logger.js';
import type { RequestRoute } from '../../routing/route-request.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import { textParam, type ClientRequest, type Outcome } from './client-request.js';
import type { CallOwner } from './forwarded-call.js';
import { GuardedRequest } from './guarded-request.js';
import { RequestContext, type Requester } from './request-context.js';
import { requestInCallTool } from './request-in-call-tool.js';
import { subjectOf, type RequestSubject, type SubjectSources } from './request-subject.js';

/** What {@link GuardedRequests} work with. */
export interface GuardedRequestsComponents {
  /** What the client sees. */
  readonly seen: SubjectSources;
  /** What there is: guards are told of what a request means even where it is not seen. */
  readonly whole: SubjectSources;
  readonly guards: GuardList;
  readonly logger: Logger;
}

/** The requests of one session that are with guards. */
export class GuardedRequests {
  private readonly requests = new Map<RawId, GuardedRequest>();

  constructor(
    private readonly owner: Pick<CallOwner, 'answer'> & Requester,
    private readonly components: GuardedRequestsComponents,
  ) {}

  /** The guards of a request, outermost first; mostly there are none. */
  guardsOf({ method }: ClientRequest): readonly GuardHandler[] | undefined {
    const { guards } = this.components;
    if (!guards.hasHandlers) return undefined;
    const handlers = guards.of(method);
    return handlers.length === 0 ? undefined : handlers;
  }

  /** Brings a request through guards to `carryOut`. Those that do not wait do so at once, in the order of the requests. */
  bring(
    request: ClientRequest,
    kind: RequestRoute['kind'],
    guards: readonly GuardHandler[],
    carryOut: () => Outcome,
  ): Outcome {
    const { id } = request;
    const guarded = new GuardedRequest({
      id,
      carryOut,
      logger: this.components.logger,
      over: () => this.requests.delete(id),
      answer: (line) => this.owner.answer(id, () => line),
    });
    this.requests.set(id, guarded);
    const meant = this.meantBy(request, kind);
    const context = new RequestContext(meant, this.subjectOf(meant, kind), this.owner, guarded.signal);
    void guarded.run(guards, context);
    return { inFlight: guarded };
  }

  /** Gives an answer to the guards that wait for it. False when there are none: it is for the client. */
  takes(id: RawId, line: () => OutgoingLine): boolean {
    if (this.requests.size === 0) return false;
    const guarded = this.requests.get(id);
    guarded?.answered(line());
    return guarded !== undefined;
  }

  private subjectOf(request: ClientRequest, kind: RequestRoute['kind']): RequestSubject {
    const { seen, whole, guards } = this.components;
    const subject = subjectOf(request, kind, seen);
    return subject.server === undefined && guards.hides ? subjectOf(request, kind, whole) : subject;
  }

  private meantBy(request: ClientRequest, kind: RequestRoute['kind']): ClientRequest {
    const isCallTool = kind === 'call-tool' && textParam(request, 'name')?.text === CALL_TOOL;
    if (!isCallTool || !this.components.whole.directory.isOwnTool(CALL_TOOL)) return request;
    const inner = requestInCallTool(request);
    return 'problem' in inner ? request : inner;
  }
}
