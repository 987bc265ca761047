import { type Clock, isRecord } from '@mcpmux/kit';
import { notificationLine, type OwnedLine, valuePaths, valueSpans } from '@mcpmux/wire';
import { LISTS } from '../../lists/list-kind.js';
import type { ClientProfile } from '../client-profile.js';
import { ENVELOPE } from '../envelope-keys.js';
import type { OwnResult, RunLink, ServerDialect, ServerLink } from '../server-dialect.js';
import type { Implementation, ServerIdentity } from '../server-identity.js';
import { declaresTasks, withTasks } from '../tasks-extension.js';
import { envelopeOf, modernCapabilities } from './client-envelope.js';
import { discover } from './discovery.js';
import { lineWithout } from '../../link/members.js';
import type { ModernRequestHeaders } from './request-headers.js';
import { ServerListen, SUBSCRIPTION_KEY, taskKey } from './server-listen.js';
import { toolForLegacy } from './tool-for-others.js';

const CANCELLED = 'notifications/cancelled';
const SUBSCRIPTION = valuePaths([['params', '_meta', SUBSCRIPTION_KEY]]);
const META = valuePaths([['params', '_meta']]);
const TOOLS_CHANGED = notificationLine(LISTS.tools.changed).subarray(0, -1);
const TTL = valuePaths([['ttlMs']]);
const NO_ANSWERS: ReadonlyMap<string, string> = new Map();
/** Matches the methods of notifications that a server sends for a subscription of mcpmux. */
const SUBSCRIBED_METHODS =
  /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|resources\/updated|tasks)$/;

/**
 * The dialect of one run of a server of the 2026-07-28 revision, with the subscriptions of mcpmux and the age of lists.
 */
export class ModernServerDialect implements ServerDialect {
  readonly era = 'modern';
  readonly opening = { request: '', notification: '' };
  readonly withdrawal = '';
  readonly ownAnswers = NO_ANSWERS;
  readonly sendsRequests = false;
  private readonly envelope: Readonly<Record<string, unknown>>;
  private listen: ServerListen | undefined;
  /** True if the server supports tasks. */
  private hasTasks = false;
  /** The clock time at which each list becomes stale, by the method of the list. */
  private readonly staleAt = new Map<string, number>();

  /**
   * @param as the client whose capabilities mcpmux sends with its own requests
   * @param headers the headers for the requests of the run; undefined on a pipe
   */
  constructor(
    clientInfo: Implementation,
    as: ClientProfile,
    private readonly clock: Clock,
    private readonly headers?: ModernRequestHeaders,
  ) {
    // These requests do not call tools, so the server never answers them with a task.
    this.envelope = envelopeOf(clientInfo, withTasks(modernCapabilities(as)));
  }

  /** Requests the server's description. The run uses this dialect only after {@link begin}. */
  async discover(link: RunLink, timeoutMs: number): Promise<ServerIdentity> {
    const identity = await discover(link, this.own(undefined), timeoutMs);
    this.hasTasks = declaresTasks(identity.capabilities);
    return identity;
  }

  /** Makes the run use this dialect, and subscribes to notifications. */
  begin(link: RunLink, listenTimeoutMs: number): void {
    link.useDialect(this);
    if (this.headers !== undefined) this.headers.relist = () => link.deliver(TOOLS_CHANGED);
    this.listen = new ServerListen(link, this.clock, listenTimeoutMs);
    this.listen.start();
  }

  own(params: unknown): unknown {
    const { _meta: meta, ...others } = isRecord(params) ? params : {};
    if (isRecord(meta) && Object.hasOwn(meta, ENVELOPE.version)) return params;
    return { ...others, _meta: { ...(isRecord(meta) && meta), ...this.envelope } };
  }

  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown> {
    return discover(link, this.own(undefined), timeoutMs);
  }

  setLogLevel(): Promise<void> {
    // Each request sets its own log level.
    return Promise.resolve();
  }

  async subscribe(_: ServerLink, uri: string, timeoutMs: number): Promise<void> {
    await this.listen?.subscribe(uri, timeoutMs);
  }

  async unsubscribe(_: ServerLink, uri: string, timeoutMs: number): Promise<void> {
    await this.listen?.unsubscribe(uri, timeoutMs);
  }

  async watchTask(id: string, isWatched: boolean, timeoutMs: number): Promise<void> {
    const { listen } = this;
    await (isWatched
      ? listen?.subscribe(taskKey(id), timeoutMs)
      : listen?.unsubscribe(taskKey(id), timeoutMs));
  }

  cancellation(requestId: number, reason: string): Buffer {
    return notificationLine(CANCELLED, { requestId, reason });
  }

  notified(line: OwnedLine, method: string): OwnedLine | undefined {
    const { listen } = this;
    if (method === CANCELLED || method === ServerListen.ACKNOWLEDGED) {
      listen?.handleNotification(method, line);
      return undefined;
    }
    if (!SUBSCRIBED_METHODS.test(method)) return line;
    const values = valueSpans(line, { start: 0, end: line.length }, SUBSCRIPTION);
    const [id] = values.map(({ span }) => line.toString('latin1', span.start, span.end));
    if (id === undefined) return line;
    if (listen?.isCurrent(Number(id)) !== true) return undefined;
    const spans = values.map(({ span }) => span);
    return lineWithout(line, spans, META);
  }

  listed(method: string, { line, result }: OwnResult): void {
    const [ttl] = valueSpans(line, result, TTL);
    const ttlMs = ttl === undefined ? 0 : Number(line.toString('latin1', ttl.span.start, ttl.span.end));
    this.staleAt.set(method, this.clock.now() + (ttlMs >= 0 ? ttlMs : 0));
  }

  toolListed(name: string, definition: Buffer): string | undefined {
    return this.headers?.toolListed(name, definition);
  }

  isStale(method: string): boolean {
    return this.listen?.isListening !== true && this.clock.now() >= (this.staleAt.get(method) ?? 0);
  }

  toolForOthers(definition: Buffer): Buffer | undefined {
    return toolForLegacy(definition, this.hasTasks);
  }
}
