import { parseServerName } from '@mcpmux/namespace';

import type { Connection } from '../server/link/connection.js';
import type { Definition } from '../server/lists/definition.js';
import type { RunFailure } from '../server/link/run-failure.js';
import type { Layer } from '../server/config/layer.js';
import type { AnyServerConfig } from '../server/config/server-config.js';
import type { ServerLists } from '../server/lists/server-lists.js';
import type { PinMode } from '../server/lists/tool-pins.js';
import { Upstream } from '../server/upstream.js';
import { SHARED, standInComponents } from './stand-in-registry.js';
import { toolNamed } from './tool-definitions.js';

/** What a test says about a {@link StandInUpstream}; the rest does not matter to it. */
export interface StandInInit {
  readonly tools?: readonly string[];
  readonly config?: AnyServerConfig;
  readonly pinMode?: PinMode;
  /** Where it is registered; in the shared registry when absent. */
  readonly layer?: Layer<Upstream>;
  /** To which calls go while it runs. */
  readonly connection?: Connection;
}

const EXITED: RunFailure = { kind: 'exited', exit: { exitCode: 1, signal: null }, stderrTail: [] };

/** Stand-ins made so far: later ones stand behind earlier ones. */
let made = 0;

/** A registered server without a process: the test says what state it is in and which tools it has. */
export class StandInUpstream extends Upstream {
  private live: Connection | undefined;
  private reported: readonly string[] = [];

  constructor(
    name: string,
    { tools = [], config = { command: 'x' }, connection, pinMode = 'warn', layer = SHARED }: StandInInit = {},
  ) {
    made += 1;
    const position = (layer.chain.length - 1) * 2 ** 40 + made;
    const owner = {
      observe: () => undefined,
      onSessionLost: () => false,
      onSessionDoubted: () => Promise.resolve(false),
    };
    super({ name: parseServerName(name), config, layer, position }, standInComponents(pinMode), owner);
    this.tools = tools.map(toolNamed);
    this.live = connection;
    this.nowRunning();
  }

  override get connection(): Connection | undefined {
    return this.state.kind === 'running' ? this.live : undefined;
  }

  override get tools(): readonly Definition[] {
    return this.lists.tools;
  }

  override set tools(tools: readonly Definition[]) {
    this.offer.lists = { ...this.lists, tools };
  }

  override get dropCounts(): Upstream['dropCounts'] {
    const { droppedLineCount = 0, droppedNotificationCount = 0 } = this.connection ?? {};
    return { lines: droppedLineCount, notifications: droppedNotificationCount };
  }

  override get warnings(): readonly string[] {
    return this.reported;
  }

  override set warnings(warnings: readonly string[]) {
    this.reported = warnings;
  }

  /** Says what the server has beside tools, and that it has the capabilities for it. */
  offers(
    lists: Partial<ServerLists>,
    capabilities: Readonly<Record<string, unknown>> = {},
    instructions?: string,
  ): this {
    this.offer.lists = { ...this.lists, ...lists };
    this.identity = { protocolVersion: '2025-11-25', capabilities, instructions };
    return this;
  }

  /** Another run has begun: calls go there from now on. */
  connectedBy(connection: Connection): this {
    this.live = connection;
    return this;
  }

  nowRunning(generation = 1): this {
    this.state = { kind: 'running', generation, since: 0, pid: 4711 };
    return this;
  }

  nowStarting(generation = 1): this {
    this.state = { kind: 'starting', generation, since: 0 };
    this.hasRunBefore = generation > 1;
    return this;
  }

  nowCrashed(failure: RunFailure = EXITED): this {
    this.state = { kind: 'crashed', generation: 1, since: 0, failure };
    return this;
  }

  nowRemoved(): this {
    this.state = { kind: 'removed' };
    return this;
  }
}
