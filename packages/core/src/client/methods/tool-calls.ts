import { quote, messageOf, paramsOf } from '@mcpmux/kit';
import { type Edit, errorLine, resultLine, type RpcError, ErrorCode } from '@mcpmux/wire';
import type { ExposedDefinition } from '../../catalog/exposed-definition.js';
import { routeToolCall } from '../../catalog/routing/route-named.js';
import { toolIdentity, type PinReason, type ToolIdentity } from '../../server/lists/tool-pins.js';
import { argumentEdits } from '../../server/lists/tool-shape.js';
import type { Caller } from '../caller/caller.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import { errorResultJson } from '../caller/tool-result.js';
import type { Exchange } from '../request/exchange.js';
import { forward, handleWhenAwake } from '../request/forward.js';
import { requestInCallTool } from '../request/request-context.js';
import {
  singleCopyReader,
  resourceEdits,
  taskIdEdits,
  unlessBridged,
  type ResultReader,
} from '../request/result-reader.js';
import type { MethodParts } from './handler.js';
import { progressSenderFor } from '../request/nested-calls.js';

const BLOCK_REASONS: Readonly<Record<PinReason, string>> = {
  changed: 'its definition has changed since it was approved',
  new: 'its server did not list it when the tools were approved',
  command: 'its server now runs another command than the approved one',
};

/** Forwards a `tools/call` request to the tool's server, or calls one of mcpmux's own tools. */
export function callTool(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const name = exchange.textAt('name');
  if (name === undefined) return exchange.rejectParams('params.name must be a string');
  const route = routeToolCall(name.text, exchange.caller.view.directory);
  switch (route.kind) {
    case 'forward': {
      if (exchange.approvedFor !== undefined && isOtherTool(exchange.approvedFor, route.entry))
        return exchange.respond(resultLine(exchange.id, changedToolResult(route.entry)));
      const problem = headerProblem(exchange, route.entry);
      if (problem !== undefined) return exchange.respond(errorLine(exchange.id, problem));
      const { bytes: tool, key: subject, keyJson, shape } = route.entry.definition;
      const edits: Edit[] = [{ span: name.span, bytes: keyJson }];
      if (shape !== undefined) edits.push(...argumentEdits(exchange.line, name.span, shape));
      const readers: ResultReader[] = [
        shape?.result === undefined ? resourceEdits : singleCopyReader(shape.result),
      ];
      if (exchange.params.has('task')) readers.push(createdTaskReader(exchange.caller, parts));
      return forward(exchange, route.entry.upstream, parts, { edits, readers, tool, subject });
    }
    case 'own':
      return name.text === CALL_TOOL
        ? callInnerTool(exchange, parts)
        : callOwnTool(exchange, name.text, parts);
    case 'blocked':
      return exchange.respond(resultLine(exchange.id, blockedToolResult(route.entry, route.reason)));
    case 'unavailable':
      return handleWhenAwake(exchange, route.upstream, parts.handle);
    case 'unknown':
      return exchange.rejectParams(route.message);
  }
}

/** Returns the error if a call's headers contradict it. Exempts `call_tool`: its client may not know the inner tool. */
function headerProblem(
  { caller, line, originalLine = line, isReplaced }: Exchange,
  { definition }: ExposedDefinition,
): RpcError | undefined {
  return isReplaced ? undefined : caller.callProblem?.(originalLine, definition.bytes);
}

function callInnerTool(exchange: Exchange, parts: MethodParts): void | Promise<void> {
  const inner = requestInCallTool(exchange.line);
  if ('problem' in inner) return exchange.respond(resultLine(exchange.id, errorResultJson(inner.problem)));
  exchange.replaceRequest(inner);
  return callTool(exchange, parts);
}

/** Returns the result reader for a call that requested a task. The reader records the caller as the task's owner. */
function createdTaskReader(caller: Caller, { affinity }: MethodParts): ResultReader {
  return unlessBridged((line, result, { upstream }) =>
    taskIdEdits(line, result, upstream, (id) => affinity.addTask(caller, upstream, id)),
  );
}

/** Returns the result of a call to a blocked tool, as JSON. The result omits the tool's new definition. */
function blockedToolResult({ upstream, definition }: ExposedDefinition, reason: PinReason): string {
  const server = JSON.stringify(upstream.name);
  const text =
    `Tool ${quote(definition.key)} of server ${server} is blocked: ${BLOCK_REASONS[reason]}. The tool was not called. ` +
    'Tell the user. If the user trusts the change, call ' +
    `reload_server with {"name": ${server}, "approve": true}. The reload approves all tools that the server then lists.`;
  return errorResultJson(text);
}

function isOtherTool(approved: ToolIdentity, entry: ExposedDefinition): boolean {
  const { server, definition } = toolIdentity(entry.upstream, entry.definition);
  return approved.server !== server || approved.definition !== definition;
}

/** Returns the result of a call that was approved for a different definition of the tool, as JSON. */
function changedToolResult({ upstream, definition }: ExposedDefinition): string {
  const tool = `Tool ${quote(definition.key)} of server ${JSON.stringify(upstream.name)}`;
  return errorResultJson(
    `${tool} is new or has changed since this call arrived, or its server runs another command. It was not called. ` +
      'Read its definition again, and then call it again if you still want to.',
  );
}

/** Calls one of mcpmux's own tools. Never rejects. */
async function callOwnTool(
  exchange: Exchange,
  name: string,
  { ownTools }: Pick<MethodParts, 'ownTools'>,
): Promise<void> {
  const { id, caller, line } = exchange;
  // A client that calls mcpmux's own tools becomes the primary: mcpmux declares its capabilities to servers that start
  // later.
  caller.setPrimary();
  const context = {
    signal: createAbortSignal(exchange),
    reportProgress: progressSenderFor(exchange),
    client: caller.toolClient,
  };
  exchange.release();
  try {
    const result = await ownTools.call(name, paramsOf(line)['arguments'], context);
    // The client may use newly added tools right after the answer, so the changed lists are announced first.
    if (ownTools.changesLists(name)) await caller.announceListChanges();
    exchange.respond(resultLine(id, result));
  } catch (error) {
    // An error here is a bug in mcpmux. The client still gets an answer, because no request may hang.
    const message = `${name} failed inside mcpmux: ${messageOf(error)}`;
    exchange.respond(errorLine(id, { code: ErrorCode.InternalError, message }));
  }
}

function createAbortSignal(exchange: Exchange): AbortSignal {
  const controller = new AbortController();
  exchange.onAbort(({ kind }) => {
    controller.abort();
    if (kind !== 'deadline') return;
    const text = 'mcpmux is shutting down; the call was cancelled.';
    exchange.respond(resultLine(exchange.id, errorResultJson(text)));
  });
  return controller.signal;
}
