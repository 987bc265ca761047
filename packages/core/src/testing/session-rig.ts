import { DEFAULT_LIMITS, type AllLimits } from '@mcpmux/kit';
import { type Channel, memoryChannels } from '@mcpmux/wire';
import { createBridges } from '../client/bridge/bridges.js';
import { legacyClientDialect } from '../client/legacy/client-dialect.js';
import { MODERN_UNGUARDED_METHODS } from '../client/modern/client-dialect.js';
import { ModernRequests } from '../client/modern/modern-requests.js';
import { Exposures } from '../catalog/exposure/exposures.js';
import type { Session } from '../client/session/session.js';
import type { Caller } from '../client/caller/caller.js';
import { Primaries } from '../client/caller/primaries.js';
import { RootsCache } from '../client/caller/roots-cache.js';
import { Listeners } from '../client/methods/listeners.js';
import { Sessions } from '../client/session/sessions.js';
import type { Catalogs } from '../catalog/catalogs.js';
import { StartingServers } from '../catalog/starting-servers.js';
import { GuardList } from '../guards/guard-list.js';
import type { Upstream } from '../server/upstream.js';
import { ChannelRecorder } from '@mcpmux/testing/channel-recorder';
import { FakeOwnTools } from './fake-own-tools.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingLogger } from './recording-logger.js';
import { sessionLayers, type StandInRegistry } from './stand-in-registry.js';
import type { StandInUpstream } from './stand-in-upstream.js';
import { toolNamed } from './tool-definitions.js';
import { toolDirectory } from './tool-directory.js';

const DIALECT = legacyClientDialect({ name: 'mcpmux', version: '1.2.3' });

/** What a test may say about a session. */
export interface SessionRigInit {
  readonly limits?: Partial<AllLimits>;
  /** The session's end of its channel; one in memory to {@link SessionRig.client} by default. */
  readonly channel?: Channel;
  /** Names of mcpmux's own tools; `own_tool` by default. */
  readonly ownTools?: readonly string[];
  readonly waitForServers?: boolean;
}

/** One session and its client, with servers and own tools that the test plays. */
export class SessionRig {
  /** What the client was sent. */
  readonly client = new ChannelRecorder();
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly ownTools = new FakeOwnTools();
  readonly guards = new GuardList([...DIALECT.unguardedMethods, ...MODERN_UNGUARDED_METHODS]);
  /** What the session sees. */
  readonly registry: StandInRegistry;
  readonly session: Session;
  readonly sessions: Sessions;
  readonly modern: ModernRequests;
  /** What the session waits for before its first list of tools, as far as it does. */
  readonly starting = new StartingServers();
  private readonly catalogs: Catalogs;
  private readonly channel: Channel;

  constructor(
    upstreams: readonly Upstream[] = [],
    { limits, channel, ownTools = ['own_tool'], waitForServers }: SessionRigInit = {},
  ) {
    const [near, far] = memoryChannels();
    const directory = toolDirectory(upstreams, ownTools);
    this.channel = near;
    this.catalogs = directory.catalogs;
    near.open(this.client);
    const all = { ...DEFAULT_LIMITS, ...limits };
    const primaries = new Primaries();
    const { clock, guards } = this;
    const serverInfo = { name: 'mcpmux', version: '1.2.3' };
    const listeners = new Listeners();
    const roots = new RootsCache<Caller>();
    this.modern = new ModernRequests({
      clock,
      logger: this.logger,
      limits: all,
      guards,
      primaries,
      serverInfo,
      listeners,
    });
    this.sessions = new Sessions({
      clock,
      logger: this.logger,
      limits: all,
      ownTools: this.ownTools,
      catalogs: directory.catalogs,
      exposures: new Exposures(() => undefined),
      ownNames: directory,
      primaries,
      guards,
      dialect: DIALECT,
      modern: this.modern,
      listeners,
      roots,
      bridges: createBridges(
        { clock: this.clock, limits: DEFAULT_LIMITS, roots },
        { name: 'mcpmux', version: '0.0.0' },
      ),
      startingServers: this.starting,
      waitForServers,
    });
    this.registry = directory.open(1);
    this.session = this.sessions.open(channel ?? far, sessionLayers(1, this.registry));
  }

  /** Sends lines to the session, as they are. */
  send(...lines: readonly string[]): void {
    for (const line of lines) this.channel.send(Buffer.from(`${line}\n`));
  }

  /** From now on a server has these tools. */
  nowHas(server: StandInUpstream, ...tools: readonly string[]): void {
    server.tools = tools.map(toolNamed);
    this.catalogs.invalidate(server.layer);
  }

  /** Calls a tool. `id` and `rest`, further members of the params, are JSON text. */
  call(id: string, name: string, rest = ''): void {
    const params = `{"name":${JSON.stringify(name)}${rest === '' ? '' : `,${rest}`}}`;
    this.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`);
  }

  /** Cancels the request with this id, which is JSON text. */
  cancel(id: string): void {
    this.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  }

  /** Sends lines and gives what the client is sent until nothing happens any more. */
  async exchange(...lines: readonly string[]): Promise<readonly string[]> {
    const before = this.client.lines.length;
    this.send(...lines);
    await nextTurn();
    return this.client.lines.slice(before);
  }

  /** {@link exchange} of one line that gets exactly one answer, parsed. */
  async answerTo(line: string): Promise<Answer> {
    const [answer, ...others] = await this.exchange(line);
    if (answer === undefined || others.length > 0) throw new Error(`${others.length + 1} answers to ${line}`);
    return JSON.parse(answer) as Answer;
  }
}

/** A response as a client reads it. */
export interface Answer {
  readonly jsonrpc: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
