import { splitTaskId } from '@mcpmux/namespace';

import type { Edit, Span } from '@mcpmux/wire';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { SupervisorOf } from '../../registry/supervisor.js';
import type { Upstream } from '../../upstream/upstream.js';
import { RELATED_TASK_PATH } from '../../upstream/link/related-task.js';
import type { CallObserver } from './call-observer.js';
import { textParam, type ClientRequest, type Outcome } from './client-request.js';
import { failureAnswer, toolFailureAnswer, toolUnavailable, unavailable } from './failure-answer.js';
import { ForwardedCall, type CallOwner, type CallPatience, type ResultReader } from './forwarded-call.js';

/** How a request is forwarded. */
export interface Forwarding {
  /** What is replaced in it beside id and progress token. */
  readonly edits?: readonly Edit[];
  readonly readResult?: ResultReader | undefined;
  /** What is called or asked for, for the log. */
  readonly subject?: string;
}

/** What a {@link Forwarder} works with. */
export interface ForwarderComponents {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly calls?: CallObserver | undefined;
  /** What wakes a server and is told of its use. */
  readonly supervisorOf: SupervisorOf;
}

/** Sends requests of one session on to servers. */
export class Forwarder {
  constructor(
    private readonly owner: CallOwner,
    private readonly components: ForwarderComponents,
  ) {}

  /** Forwards a request to a server, or answers that the server does not run. */
  forward(
    request: ClientRequest,
    upstream: Upstream,
    { edits = [], readResult, subject }: Forwarding = {},
  ): Outcome {
    const { id, line, params, method, idSpan } = request;
    const { logger } = this.components;
    const isTool = method === 'tools/call';
    const { connection, name: server } = upstream;
    if (connection === undefined)
      return { answer: (isTool ? toolUnavailable : unavailable)(id, upstream), notRunning: upstream };
    const progressToken = params.get('_meta.progressToken');
    const failure = isTool ? toolFailureAnswer : failureAnswer;
    const token = progressToken && copyOf(line, progressToken);
    const call = new ForwardedCall(
      this.owner,
      {
        id,
        progressToken: token,
        failure,
        readResult,
        patience: this.patienceWith(upstream),
        isTask: params.has('task'),
      },
      server,
      connection,
    );
    const replaced = params.has(RELATED_TASK_PATH) ? [...edits, ...relatedTaskEdit(request)] : edits;
    const sent = connection.calls.call({ line, id: idSpan, progressToken, edits: replaced }, call);
    if (typeof sent !== 'number') return { answer: failure(id, server, sent) };
    this.noteUse(upstream);
    call.sentAs(sent, isTool ? this.components.calls?.began(server, subject ?? '') : undefined);
    if (logger.enabled('debug')) {
      const what = isTool ? { tool: subject } : { method, ...(subject !== undefined && { subject }) };
      logger.log('debug', 'call', { server, ...what, call: sent });
    }
    return { inFlight: call };
  }

  private noteUse(upstream: Upstream): void {
    this.components.supervisorOf(upstream)?.used();
  }

  private patienceWith({ config }: Upstream): CallPatience | undefined {
    const { callTimeoutMs: ms } = config;
    return ms === undefined ? undefined : { ms, clock: this.components.clock };
  }
}

/** A copy: the token is needed for as long as the call takes, the rest of the line is not. */
function copyOf(line: Buffer, { start, end }: Span): Buffer {
  return Buffer.from(line.subarray(start, end));
}

function relatedTaskEdit(request: ClientRequest): readonly Edit[] {
  const task = textParam(request, RELATED_TASK_PATH);
  const parts = task && splitTaskId(task.text);
  return task && parts ? [{ span: task.span, bytes: JSON.stringify(parts.local) }] : [];
}
