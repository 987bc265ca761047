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
  /** `hasListeners` is true if a listener observes calls. */
  readonly audience: { readonly hasListeners: boolean };
  /**
   * Called after a call was sent.
   *
   * @param tool the local name of the tool
   * @returns the function to call once when the call has ended; undefined if no listener observes calls
   */
  callStarted(server: string, tool: string, call: ObservedCall): CallEndListener | undefined;
}

/** The part of a call that observers see. */
export type ObservedCall = Pick<ForwardedCall, 'exchange' | 'upstream'>;

/** Options for forwarding a request. */
export interface Forwarding {
  /** Replacements in the request, in addition to its id and progress token. */
  readonly edits?: readonly Edit[];
  /** The readers of the result, called in this order after the crossing. When absent, the result is not read. */
  readonly readers?: readonly ResultReader[];
  /** The definition of the tool that the request calls. */
  readonly tool?: CrossedServer['tool'];
  /** The name of the tool or prompt, or the URI, for the log. */
  readonly subject?: string;
}

/** The dependencies of {@link forward}. */
export interface ForwardParts extends Pick<Kit, 'clock' | 'logger'> {
  readonly calls?: CallObserver | undefined;
  readonly bridges: Bridges;
  readonly affinity: Pick<Affinity<Caller>, 'ownerOfClientTask'> & TaskOwners;
  /** Handles an exchange by its method. */
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
  { edits = [], readers, tool, subject }: Forwarding = {},
): void {
  const { name: server } = upstream;
  const connection = readyConnection(exchange, upstream);
  if (connection === undefined) return void whenAwake(exchange, upstream, parts.handle);
  const { line, idSpan, params, method } = exchange;
  const { clock, calls, logger } = parts;
  const crossing = crossingOf(
    exchange,
    { upstream, connection, owners: parts.affinity, tool },
    parts.bridges,
  );
  if (!exchange.isOpen) return;
  const call = new ForwardedCall(exchange, { upstream, connection, readers, clock, crossing });
  const progressToken = params.get('_meta.progressToken');
  const meta = metaEdits(exchange, upstream, connection, parts);
  if ('unknown' in meta) return exchange.refuseParams(`Unknown task ${quote(meta.unknown)}`);
  const ownEdits = [...edits, ...meta];
  const allEdits = crossing === undefined ? ownEdits : [...ownEdits, ...crossing.edits];
  const outgoing = { line, id: idSpan, progressToken, edits: allEdits };
  const sent = connection.calls.call(outgoing, call);
  if (typeof sent !== 'number') return exchange.respond(failureAnswer(exchange, server, sent));
  // Only the idle timeout uses the time of the last call.
  if (upstream.config.idleTimeoutMs !== undefined) exchange.caller.layer.supervisorOf(upstream)?.used();
  const isTool = method === 'tools/call';
  const ended =
    isTool && calls?.audience.hasListeners ? calls.callStarted(server, subject ?? '', call) : undefined;
  call.markSent(outgoing, sent, ended);
  if (logger.enabled('debug')) logCall(exchange, server, subject, { logger, call: sent });
}

/** Returns the edit that hides the client's sandbox from servers that have not declared support for it. */
function sandboxEdits(span: Span, { identity }: Upstream): readonly Edit[] {
  const experimental = identity?.capabilities['experimental'];
  const isWanted = isRecord(experimental) && Object.hasOwn(experimental, SANDBOX_STATE);
  // Removing the member would also remove a comma, which other edits rely on.
  return isWanted ? [] : [{ span, bytes: 'null' }];
}

function logCall(
  { method }: Exchange,
  server: string,
  subject: string | undefined,
  { logger, call }: { readonly logger: Logger; readonly call: number },
): void {
  const isTool = method === 'tools/call';
  const what = isTool ? { tool: subject } : { method, ...(subject !== undefined && { subject }) };
  logger.log('debug', 'call', { server, ...what, call });
}

/**
 * Returns the edits in `_meta`: {@link sandboxEdits}, and the edit that replaces the client's id of a related task with
 * the server's id. A task that the client itself runs keeps its id.
 */
function metaEdits(
  exchange: Exchange,
  upstream: Upstream,
  connection: Connection,
  { affinity }: ForwardParts,
): readonly Edit[] | { readonly unknown: string } {
  const { caller, params } = exchange;
  const description = params.get(SANDBOX_STATE_PATH);
  const hiddenEdits = description === undefined ? [] : sandboxEdits(description, upstream);
  const task = exchange.text(RELATED_TASK_PATH);
  if (task === undefined) return hiddenEdits;
  const owner = affinity.ownerOfClientTask(connection, task.text);
  if (typeof owner === 'object' && owner.client === caller) return hiddenEdits;
  const ids = splitTaskId(task.text);
  const isKnown = ids?.server === upstream.name && !affinity.isForeignTask(caller, upstream, task.text);
  return isKnown
    ? [...hiddenEdits, { span: task.span, bytes: JSON.stringify(localTaskId(upstream, task.text)) }]
    : { unknown: task.text };
}

/** Starts the crossing of a request if its client and its server need one. */
export function crossingOf(
  exchange: Exchange,
  server: CrossedServer,
  bridges: Bridges,
): Crossing | undefined {
  return bridges[exchange.caller.era][server.connection.dialect.era]?.(exchange, server);
}

/**
 * Returns the connection that a request can use now. Undefined if the connection must be opened first or cannot be
 * opened.
 */
function readyConnection(exchange: Exchange, upstream: Upstream): Connection | undefined {
  const { caller, hasWokenServer } = exchange;
  const connection = upstream.connectionFor(caller);
  if (upstream.followed !== undefined && isOutsideSandbox(exchange, upstream.followed, connection))
    return undefined;
  if (hasWokenServer || connection === undefined) return connection;
  // The server may restart for this client, or the client may need the connection in its own era.
  const isFirst = connection === upstream.connection;
  if (isFirst && !connection.calls.hasServed && upstream.undeclared.forCaller(caller).length > 0)
    return undefined;
  const isOtherEra = connection.dialect.era !== caller.wantedEra;
  return isOtherEra && upstream.second.isNeededBy(caller) ? undefined : connection;
}

/**
 * Handles a request whose server is not running. Starts the server if possible, and handles the request again when the
 * start has succeeded or failed.
 */
export async function whenAwake(
  exchange: Exchange,
  upstream: Upstream,
  handle: (exchange: Exchange) => void,
): Promise<void> {
  const { caller, hasWokenServer } = exchange;
  const started = hasWokenServer ? undefined : start(exchange, upstream);
  exchange.hasWokenServer = true;
  if (started === undefined)
    return !hasWokenServer && upstream.connectionFor(caller) !== undefined
      ? handle(exchange)
      : exchange.respond(sandboxAnswer(exchange, upstream) ?? unavailableAnswer(exchange, upstream));
  exchange.onAbort(({ kind }) => {
    if (kind === 'deadline') exchange.respond(failureAnswer(exchange, upstream.name, { kind: 'shut-down' }));
  });
  // The server's state shows the outcome of the start.
  await started.catch(() => undefined);
  // The started server may need a second connection for this client.
  await upstream.second.openFor(caller);
  if (exchange.isOpen) handle(exchange);
}

function start(exchange: Exchange, upstream: Upstream): Promise<unknown> | undefined {
  const { caller } = exchange;
  const supervisor = caller.layer.supervisorOf(upstream);
  const { connection, followed } = upstream;
  if (followed !== undefined && isOutsideSandbox(exchange, followed, upstream.connectionFor(caller)))
    return supervisor?.runWithin(sandboxOf(exchange, followed), followed, exchange);
  if (connection === undefined) return supervisor?.wake();
  const reopened = supervisor?.firstClient.withCapabilitiesOf(caller);
  if (reopened !== undefined) return reopened;
  if (!upstream.second.isNeededBy(caller)) return undefined;
  // A process that no client has used yet is reopened, so that no second process is needed.
  return supervisor?.firstClient.inEraOf(caller) ?? upstream.second.openFor(caller);
}

/** Returns the key of the sandbox for a call to a server that follows its clients. */
function sandboxOf({ params, line }: Exchange, followed: FollowedSandbox): string {
  const span = params.get(SANDBOX_STATE_PATH);
  return followed.keyOf(span && line.toString('utf8', span.start, span.end));
}

/**
 * True for a call that must not use the connection, because the server follows its client's sandbox and now runs in
 * another one. Clients describe their sandbox only in tool calls.
 */
function isOutsideSandbox(
  exchange: Exchange,
  followed: FollowedSandbox,
  connection: Connection | undefined,
): boolean {
  return exchange.method === 'tools/call' && sandboxOf(exchange, followed) !== connection?.within;
}

/** Returns the answer to a call whose sandbox the server cannot have or does not have; undefined for all others. */
function sandboxAnswer(exchange: Exchange, { followed, name, state }: Upstream): Buffer | undefined {
  if (followed === undefined || exchange.method !== 'tools/call') return undefined;
  const { key, problem } = followed.refused ?? {};
  const isRefused = key === sandboxOf(exchange, followed);
  if (!isRefused && state.kind !== 'running') return undefined;
  const why = isRefused
    ? `whose description ${problem}. The call was not sent. Tell the user: without "follow" in its entry, ` +
      'the server has the sandbox of the entry alone.'
    : 'and runs in the sandbox of calls that have not ended. The call was not sent. Call it again. With ' +
      '"isolation": "session" in "mux" of its entry, each session has a run of its own.';
  const text = `Server "${name}" follows the sandbox of its client, ${why}`;
  return resultLine(exchange.id, errorResultJson(text));
}
