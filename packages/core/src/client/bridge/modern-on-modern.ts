import { type BorrowedLine, type Edit, ErrorCode, errorLine, type Span } from '@mcpmux/wire';
import type { Bridge, Crossing, CrossingCall } from '../request/crossing.js';
import { resourceEdits, taskIdEdits } from '../request/result-reader.js';
import type { Exchange } from '../request/exchange.js';
import type { ServerResponse } from '../../server/link/pending-call.js';
import { approvedHashToSend } from '../modern/sent-principal.js';
import type { BridgedServer, ClientEnvelopes } from './client-envelopes.js';
import { internalErrorEdits } from './error-codes.js';
import { isTaskMethod } from '../../server/dialect/client-requests.js';
import { INPUT_METHODS, inputResponses, refusalIn } from '../modern/input.js';
import { isSealed } from '../modern/request-state.js';
import { questionEdits, taskEdits, type TaskContext } from '../modern/task-edits.js';
import { declaresTasks } from '../../server/dialect/tasks-extension.js';
import type { InputComponents } from './input-questions.js';
import { completeTypeSpan, readModernResult, repairEdits } from './result-type.js';
import { createdTask, errorLineBuilder, TaskDriver } from './task-drive.js';

/** Returns the bridge between modern peers. It adds the client's description and the members that servers omit. */
export function modernOnModern(envelopes: ClientEnvelopes, parts: InputComponents): Bridge {
  return (exchange, server) => {
    if (hasRefusal(exchange)) {
      const message = `Server "${server.upstream.name}" needs input for this, and the user has refused.`;
      exchange.respond(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
      return undefined;
    }
    const { upstream, connection, owners } = server;
    return new ModernOnModern(exchange, { upstream, connection, owners, envelopes, parts });
  };
}

/**
 * True if a retry refuses a modern server's question. mcpmux cannot pass on the refusal, because its request to the
 * server ended with the question. False if another mux, such as a cluster node, sealed the request state: it notifies
 * its server.
 */
function hasRefusal(exchange: Exchange): boolean {
  const { method, line, params } = exchange;
  if (!INPUT_METHODS.has(method) || !params.has('inputResponses')) return false;
  if (isSealed(exchange.textAt('requestState')?.text ?? '')) return false;
  return [...inputResponses(line, params).values()].some((answer) => refusalIn(answer) !== undefined);
}

class ModernOnModern implements Crossing {
  readonly edits: readonly Edit[];
  private taskDriver: TaskDriver | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly init: BridgedServer,
  ) {
    const { upstream, envelopes } = init;
    this.edits = envelopes
      .forModern(exchange.caller, upstream, 'declared', approvedHashToSend(exchange, upstream))
      .replacementEdits(exchange);
  }

  onResponse(call: CrossingCall, line: BorrowedLine, response: ServerResponse): readonly Edit[] | undefined {
    if (this.taskDriver !== undefined) return this.taskDriver.onResponse(call, line, response);
    const { result, error } = response;
    if (result === undefined) return error === undefined ? [] : internalErrorEdits(line, error);
    const { method } = this.exchange;
    if (method === 'tools/call' && completeTypeSpan(line, result) !== undefined) return [];
    const modernResult = readModernResult(line, result);
    if (modernResult.type === 'task') return this.handleTask(call, line, result);
    const repairs = repairEdits(line, result, modernResult, method);
    if (isTaskMethod(method))
      return this.checkedEdits(call, repairs, taskEdits(line, result, this.taskReading(call)));
    const inputRequests =
      modernResult.type === 'input_required' ? modernResult.members.get('inputRequests')?.at(-1) : undefined;
    if (inputRequests === undefined) return repairs;
    return this.checkedEdits(call, repairs, questionEdits(line, inputRequests, this.taskReading(call)));
  }

  onAbort(): void {
    this.taskDriver?.abort(true);
  }

  /** Makes the client the owner of the created task. If the client does not support tasks, polls the task for it. */
  private handleTask(call: CrossingCall, line: BorrowedLine, result: Span): readonly Edit[] | undefined {
    const { caller } = this.exchange;
    const { upstream, owners } = this.init;
    if (declaresTasks(caller.profile?.capabilities))
      return taskIdEdits(line, result, upstream, (task) => owners.addPrincipalTask(caller, upstream, task));
    this.followTask(call, line, result);
    return undefined;
  }

  /** Polls the task for a client that does not support tasks, and answers the call with the task's result. */
  private followTask(call: CrossingCall, line: BorrowedLine, result: Span): void {
    const { exchange } = this;
    const { upstream, envelopes, parts } = this.init;
    const { connection } = call;
    const { caller } = exchange;
    const { taskId, pollIntervalMs } = createdTask(line, result);
    this.taskDriver = new TaskDriver(parts, {
      exchange,
      upstream,
      connection,
      taskId,
      meta: envelopes.forModern(caller, upstream, 'with').members,
      resultEdits: (text, inner) => [
        ...repairEdits(text, inner, readModernResult(text, inner), exchange.method),
        ...resourceEdits(text, inner, { upstream, catalog: caller.view.catalog }),
      ],
      failureLine: errorLineBuilder(exchange),
    });
    this.taskDriver.schedulePoll(call, pollIntervalMs);
  }

  private checkedEdits(
    call: CrossingCall,
    repairs: readonly Edit[],
    edits: readonly Edit[] | { readonly problem: string },
  ): readonly Edit[] | undefined {
    if (!('problem' in edits)) return [...repairs, ...edits];
    const message = `Server "${this.init.upstream.name}" needs input for this, and ${edits.problem}.`;
    call.finish(errorLine(this.exchange.id, { code: ErrorCode.InternalError, message }));
    return undefined;
  }

  private taskReading({ connection }: CrossingCall): TaskContext {
    const { caller } = this.exchange;
    const { profile, view } = caller;
    return {
      upstream: this.init.upstream,
      connection,
      capabilities: profile?.capabilities ?? {},
      catalog: view.catalog,
    };
  }
}
