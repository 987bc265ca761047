import { isRecord, type Logger, quote, type Kit } from '@mcpmux/kit';
import { splitTaskId } from '@mcpmux/namespace';
import type { FollowedSandbox } from '@mcpmux/sandbox';
import { type Edit, resultLine, type Span } from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import { RELATED_TASK_PATH } from '../../server/link/server-paths.js';
import type { Upstream } from '../../server/upstream.js';
import type { Bridges, CrossedServer, Crossing, TaskOwners } from './crossing.js';
import type { Exchange } from './exchange.js';
import { SANDBOX_STATE, SANDBOX_STATE_PATH } from '../caller/client-paths.js';
import type { Affinity } from '../caller/affinity.js';
import type { Caller } from '../caller/caller.js';
import { errorResultJson } from '../caller/tool-result.js';
import { failureAnswer, unavailableAnswer } from './failure-answer.js';
import { ForwardedCall, type CallEndListener } from './forwarded-call.js';
import type { ResultReader } from './result-reader.js';
import { localTaskId } from '../../server/client-task-id.js';

/** Observes every tool call that is sent to a server. */
export interface CallObserver {
  readonly audience: { readonly hasListeners: boolean };
  /**
   * Called after a call was sent.
   *
   * @param tool the local name of the tool
   * @returns the function to call once when the call has ended; undefined if no listener observes calls
   */
  onCallStart(server: string, tool: string, call: ObservedCall): CallEndListener | undefined;
}

/** The part of a call that observers see. */
export type ObservedCall = Pick<ForwardedCall, 'exchange' | 'upstream'>;

/** Options for forwarding a request. */
export interface ForwardOptions {
  /** The edits to the request, in addition to those that every forwarded request needs. */
  readonly edits?: readonly Edit[];
  /** The readers of the result, called in this order after the crossing. When absent, the result is not read. */
  readonly readers?: readonly ResultReader[];
  /** The definition of the tool that the request calls. */
  readonly tool?: CrossedServer['tool'];
  /** The name of the tool or prompt, or the resource URI, for logs and observers. */
  readonly subject?: string;
}

/** The dependencies of {@link forward}. */
export interface ForwardParts extends Pick<Kit, 'clock' | 'logger'> {
  readonly calls?: CallObserver | undefined;
  readonly bridges: Bridges;
  readonly affinity: Pick<Affinity<Caller>, 'ownerOfClientTask'> & TaskOwners;
  /** Dispatches an exchange according to its method. */
  readonly handle: (exchange: Exchange) => void;
}

/**
 * Forwards a request to a server, whose answer becomes the answer of the exchange. Refuses a request that claims to
 * belong to another caller's task, because the server would send its questions to the client of that task.
 */
export function forward(
  exchange: Exchange,
  upstream: Upstream,
  parts: ForwardParts,
  { edits = [], readers, tool, subject }: ForwardOptions = {},
): void {
  const { name: server } = upstream;
  const connection = readyConnection(exchange, upstream);
  if (connection === undefined) return void handleWhenAwake(exchange, upstream, parts.handle);
  const { line, idSpan, params, method } = exchange;
  const { clock, calls, logger } = parts;
  const crossing = startCrossing(
    exchange,
    { upstream, connection, owners: parts.affinity, tool },
    parts.bridges,
  );
  if (!exchange.isOpen) return;
  const call = new ForwardedCall(exchange, { upstream, connection, readers, clock, crossing });
  const progressToken = params.get('_meta.progressToken');
  const meta = metaEdits(exchange, upstream, connection, parts);
  if ('unknown' in meta) return exchange.rejectParams(`Unknown task ${quote(meta.unknown)}`);
  const requestEdits = [...edits, ...meta];
  const allEdits = crossing === undefined ? requestEdits : [...requestEdits, ...crossing.edits];
  const outgoingCall = { line, id: idSpan, progressToken, edits: allEdits };
  const callResult = connection.calls.sendCall(outgoingCall, call);
  if (typeof callResult !== 'number') return exchange.respond(failureAnswer(exchange, server, callResult));
  // The time of the last call is needed only for the idle timeout.
  if (upstream.config.idleTimeoutMs !== undefined) exchange.caller.layer.supervisorOf(upstream)?.recordUse();
  const isToolCall = method === 'tools/call';
  const onEnd =
    isToolCall && calls?.audience.hasListeners ? calls.onCallStart(server, subject ?? '', call) : undefined;
  call.markSent(outgoingCall, callResult, onEnd);
  if (logger.enabled('debug')) logCall(exchange, server, subject, { logger, call: callResult });
}

/** Returns the edit that hides the client's sandbox from servers that have not declared support for it. */
function sandboxEdits(span: Span, { identity }: Upstream): readonly Edit[] {
  const experimental = identity?.capabilities['experimental'];
  const isSupported = isRecord(experimental) && Object.hasOwn(experimental, SANDBOX_STATE);
  // The value becomes null: removing the member would also remove a comma on which other edits rely.
  return isSupported ? [] : [{ span, bytes: 'null' }];
}

function logCall(
  { method }: Exchange,
  server: string,
  subject: string | undefined,
  { logger, call }: { readonly logger: Logger; readonly call: number },
): void {
  const isToolCall = method === 'tools/call';
  const callFields = isToolCall ? { tool: subject } : { method, ...(subject !== undefined && { subject }) };
  logger.log('debug', 'call', { server, ...callFields, call });
}

/**
 * Returns the edits to `_meta`: {@link sandboxEdits}, and the edit that replaces the client's id for a related task
 * with the server's id. Does not change the id of a task that the client itself runs.
 */
function metaEdits(
  exchange: Exchange,
  upstream: Upstream,
  connection: Connection,
  { affinity }: ForwardParts,
): readonly Edit[] | { readonly unknown: string } {
  const { caller, params } = exchange;
  const sandboxSpan = params.get(SANDBOX_STATE_PATH);
  const hiddenEdits = sandboxSpan === undefined ? [] : sandboxEdits(sandboxSpan, upstream);
  const task = exchange.textAt(RELATED_TASK_PATH);
  if (task === undefined) return hiddenEdits;
  const owner = affinity.ownerOfClientTask(connection, task.text);
  if (typeof owner === 'object' && owner.client === caller) return hiddenEdits;
  const splitId = splitTaskId(task.text);
  const isCallersTask =
    splitId?.server === upstream.name && !affinity.isForeignTask(caller, upstream, task.text);
  return isCallersTask
    ? [...hiddenEdits, { span: task.span, bytes: JSON.stringify(localTaskId(upstream, task.text)) }]
    : { unknown: task.text };
}

/** Starts the crossing of a request if the eras of its client and server need one. */
export function startCrossing(
  exchange: Exchange,
  server: CrossedServer,
  bridges: Bridges,
): Crossing | undefined {
  return bridges[exchange.caller.era][server.connection.dialect.era]?.(exchange, server);
}

/** Returns the connection that a request can use now, or undefined if it must first be opened or cannot be opened. */
function readyConnection(exchange: Exchange, upstream: Upstream): Connection | undefined {
  const { caller, hasWokenServer } = exchange;
  const connection = upstream.connectionFor(caller);
  if (
    upstream.followedSandbox !== undefined &&
    isOutsideSandbox(exchange, upstream.followedSandbox, connection)
  )
    return undefined;
  if (hasWokenServer || connection === undefined) return connection;
  // The server may have to restart for this client, or the client may need a connection in its own era.
  const isFirst = connection === upstream.connection;
  if (isFirst && !connection.calls.hasSentCalls && upstream.undeclaredKinds.forCaller(caller).length > 0)
    return undefined;
  const isOtherEra = connection.dialect.era !== caller.clientEra;
  return isOtherEra && upstream.secondRun.isNeededBy(caller) ? undefined : connection;
}

/**
 * Starts a request's server if necessary, and dispatches the request once the start has succeeded or failed. If the
 * server cannot be started, answers the request with the reason.
 */
export async function handleWhenAwake(
  exchange: Exchange,
  upstream: Upstream,
  handle: (exchange: Exchange) => void,
): Promise<void> {
  const { caller, hasWokenServer } = exchange;
  const serverStart = hasWokenServer ? undefined : startServer(exchange, upstream);
  exchange.hasWokenServer = true;
  if (serverStart === undefined)
    return !hasWokenServer && upstream.connectionFor(caller) !== undefined
      ? handle(exchange)
      : exchange.respond(sandboxAnswer(exchange, upstream) ?? unavailableAnswer(exchange, upstream));
  exchange.onAbort(({ kind }) => {
    if (kind === 'deadline') exchange.respond(failureAnswer(exchange, upstream.name, { kind: 'shut-down' }));
  });
  // The error is ignored, because the server's state shows the outcome of the start.
  await serverStart.catch(() => undefined);
  // The started server may need a second connection for this client.
  await upstream.secondRun.openFor(caller);
  if (exchange.isOpen) handle(exchange);
}

function startServer(exchange: Exchange, upstream: Upstream): Promise<unknown> | undefined {
  const { caller } = exchange;
  const supervisor = caller.layer.supervisorOf(upstream);
  const { connection, followedSandbox } = upstream;
  if (
    followedSandbox !== undefined &&
    isOutsideSandbox(exchange, followedSandbox, upstream.connectionFor(caller))
  )
    return supervisor?.runInSandbox(sandboxKeyOf(exchange, followedSandbox), followedSandbox, exchange);
  if (connection === undefined) return supervisor?.wake();
  const reopening = supervisor?.firstClientRestart.restartWithCapabilitiesOf(caller);
  if (reopening !== undefined) return reopening;
  if (!upstream.secondRun.isNeededBy(caller)) return undefined;
  // A server that no client has used yet is restarted in this client's era, so that it needs no second process.
  return supervisor?.firstClientRestart.restartInEraOf(caller) ?? upstream.secondRun.openFor(caller);
}

function sandboxKeyOf({ params, line }: Exchange, sandbox: FollowedSandbox): string {
  const span = params.get(SANDBOX_STATE_PATH);
  return sandbox.keyOf(span && line.toString('utf8', span.start, span.end));
}

/**
 * True for a call that must not use the connection, because the server follows its client's sandbox and currently runs
 * in a different sandbox. Clients describe their sandbox only in tool calls.
 */
function isOutsideSandbox(
  exchange: Exchange,
  sandbox: FollowedSandbox,
  connection: Connection | undefined,
): boolean {
  return exchange.method === 'tools/call' && sandboxKeyOf(exchange, sandbox) !== connection?.sandboxKey;
}

/**
 * Returns the error for a call whose sandbox the server cannot use or does not currently run in; otherwise undefined.
 */
function sandboxAnswer(exchange: Exchange, { followedSandbox, name, state }: Upstream): Buffer | undefined {
  if (followedSandbox === undefined || exchange.method !== 'tools/call') return undefined;
  const { key, problem } = followedSandbox.refused ?? {};
  const isRefused = key === sandboxKeyOf(exchange, followedSandbox);
  if (!isRefused && state.kind !== 'running') return undefined;
  const reason = isRefused
    ? `whose description ${problem}. The call was not sent. Tell the user: without "follow" in its entry, ` +
      'the server has the sandbox of the entry alone.'
    : 'and runs in the sandbox of calls that have not ended. The call was not sent. Call it again. With ' +
      '"isolation": "session" in "mux" of its entry, each session has a run of its own.';
  const text = `Server "${name}" follows the sandbox of its client, ${reason}`;
  return resultLine(exchange.id, errorResultJson(text));
}
