import { type Clock, isRecord } from '@mcpmux/kit';
import { notificationLine, type OwnedLine, valuePaths, valueSpans } from '@mcpmux/wire';
import { LISTS } from '../../lists/list-kind.js';
import type { ClientProfile } from '../client-profile.js';
import { CLIENT_META_KEYS } from '../envelope-keys.js';
import type { OwnResult, RunLink, ServerDialect, ServerLink } from '../server-dialect.js';
import type { Implementation, ServerIdentity } from '../server-identity.js';
import { declaresTasks, withTasks } from '../tasks-extension.js';
import { clientEnvelope, modernCapabilities } from './client-envelope.js';
import { discover } from './discovery.js';
import { lineWithoutMembers } from '../../link/members.js';
import type { ModernRequestHeaders } from './request-headers.js';
import { ServerSubscription, SUBSCRIPTION_KEY, taskKey } from './server-listen.js';
import { toolForLegacy } from './tool-for-others.js';

const CANCELLED = 'notifications/cancelled';
const SUBSCRIPTION_PATHS = valuePaths([['params', '_meta', SUBSCRIPTION_KEY]]);
const META_PATHS = valuePaths([['params', '_meta']]);
const TOOLS_CHANGED = notificationLine(LISTS.tools.changedMethod).subarray(0, -1);
const TTL_PATHS = valuePaths([['ttlMs']]);
const NO_ANSWERS: ReadonlyMap<string, string> = new Map();
/** Matches the methods of the notifications that a server sends for mcpmux's subscription. */
const SUBSCRIBED_METHODS =
  /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|resources\/updated|tasks)$/;

/** The dialect of one run of a modern server. Tracks the run's subscription and when its lists become stale. */
export class ModernServerDialect implements ServerDialect {
  readonly era = 'modern';
  readonly opening = { request: '', notification: '' };
  readonly withdrawalMethod = '';
  readonly ownAnswers = NO_ANSWERS;
  readonly sendsRequests = false;
  private readonly envelope: Readonly<Record<string, unknown>>;
  private subscription: ServerSubscription | undefined;
  private supportsTasks = false;
  /** The clock time at which each list becomes stale, by the method of the list. */
  private readonly staleTimes = new Map<string, number>();

  /**
   * @param as the client whose capabilities mcpmux sends with its own requests
   * @param headers the headers for the run's requests; undefined for a run over a pipe
   */
  constructor(
    clientInfo: Implementation,
    as: ClientProfile,
    private readonly clock: Clock,
    private readonly headers?: ModernRequestHeaders,
  ) {
    // Declaring tasks is safe: mcpmux's own requests call no tools, so the server never answers them with a task.
    this.envelope = clientEnvelope(clientInfo, withTasks(modernCapabilities(as)));
  }

  /** Requests the server's description. The run uses this dialect only after {@link begin}. */
  async discover(link: RunLink, timeoutMs: number): Promise<ServerIdentity> {
    const identity = await discover(link, this.ownParams(undefined), timeoutMs);
    this.supportsTasks = declaresTasks(identity.capabilities);
    return identity;
  }

  /** Makes the run use this dialect, and subscribes to the server's notifications. */
  begin(link: RunLink, listenTimeoutMs: number): void {
    link.useDialect(this);
    if (this.headers !== undefined) this.headers.relist = () => link.deliver(TOOLS_CHANGED);
    this.subscription = new ServerSubscription(link, this.clock, listenTimeoutMs);
    this.subscription.start();
  }

  ownParams(params: unknown): unknown {
    const { _meta: meta, ...others } = isRecord(params) ? params : {};
    if (isRecord(meta) && Object.hasOwn(meta, CLIENT_META_KEYS.version)) return params;
    return { ...others, _meta: { ...(isRecord(meta) && meta), ...this.envelope } };
  }

  probe(link: Pick<ServerLink, 'request'>, timeoutMs: number): Promise<unknown> {
    return discover(link, this.ownParams(undefined), timeoutMs);
  }

  setLogLevel(): Promise<void> {
    // In the modern era, each request contains its own log level, so mcpmux sends nothing here.
    return Promise.resolve();
  }

  async subscribe(_: ServerLink, uri: string, timeoutMs: number): Promise<void> {
    await this.subscription?.subscribe(uri, timeoutMs);
  }

  async unsubscribe(_: ServerLink, uri: string, timeoutMs: number): Promise<void> {
    await this.subscription?.unsubscribe(uri, timeoutMs);
  }

  async watchTask(id: string, isWatched: boolean, timeoutMs: number): Promise<void> {
    const { subscription } = this;
    await (isWatched
      ? subscription?.subscribe(taskKey(id), timeoutMs)
      : subscription?.unsubscribe(taskKey(id), timeoutMs));
  }

  cancellationLine(requestId: number, reason: string): Buffer {
    return notificationLine(CANCELLED, { requestId, reason });
  }

  onNotification(line: OwnedLine, method: string): OwnedLine | undefined {
    const { subscription } = this;
    if (method === CANCELLED || method === ServerSubscription.ACKNOWLEDGED) {
      subscription?.handleNotification(method, line);
      return undefined;
    }
    if (!SUBSCRIBED_METHODS.test(method)) return line;
    const idValues = valueSpans(line, { start: 0, end: line.length }, SUBSCRIPTION_PATHS);
    const [id] = idValues.map(({ span }) => line.toString('latin1', span.start, span.end));
    if (id === undefined) return line;
    if (subscription?.isCurrent(Number(id)) !== true) return undefined;
    const spans = idValues.map(({ span }) => span);
    return lineWithoutMembers(line, spans, META_PATHS);
  }

  onListPage(method: string, { line, result }: OwnResult): void {
    const [ttl] = valueSpans(line, result, TTL_PATHS);
    const ttlMs = ttl === undefined ? 0 : Number(line.toString('latin1', ttl.span.start, ttl.span.end));
    this.staleTimes.set(method, this.clock.now() + (ttlMs >= 0 ? ttlMs : 0));
  }

  onToolListed(name: string, definition: Buffer): string | undefined {
    return this.headers?.recordTool(name, definition);
  }

  isStale(method: string): boolean {
    return this.subscription?.isListening !== true && this.clock.now() >= (this.staleTimes.get(method) ?? 0);
  }

  toolForOtherEra(definition: Buffer): Buffer | undefined {
    return toolForLegacy(definition, this.supportsTasks);
  }
}
