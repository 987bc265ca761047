import type { ServerName } from '@mcpmux/namespace';

import { REMOVE_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
import { isOnceOnly, isRemote, isUnusable, type AnyServerConfig } from './config/server-config.js';
import type { Era } from './dialect/era.js';
import { handshakeProfile, bridgeLosesFeatures, type EraClient } from './dialect/second-era.js';
import type { Connection } from './link/connection.js';
import { summarize, type RunFailure } from './link/run-failure.js';
import type { RunStartResult } from './run/run-contract.js';
import type { RunComponents } from './run/run-components.js';
import type { ServerRun } from './run/server-run.js';
import type { SecondRunInit } from './runs.js';
import { UndeclaredKinds } from './undeclared-kinds.js';

/** How long the bridge serves clients after a second run has failed, in milliseconds. */
const RETRY_DELAY_MS = 60_000;

/** The members of {@link Runs} that a {@link SecondRun} needs. */
interface RunControl {
  readonly current: ServerRun | undefined;
  open(init: SecondRunInit): Promise<void>;
  close(run: ServerRun, drainMs: number, timings: StopTimings): Promise<void>;
}

/** The dependencies that a second run shares with its server. */
type SecondRunComponents = Pick<RunComponents, 'protocol' | 'verdicts' | 'clock' | 'logger' | 'limits'>;

type SecondRunState =
  | { readonly kind: 'none' }
  | { readonly kind: 'starting'; readonly settled: Promise<void> }
  | { readonly kind: 'serving'; readonly run: ServerRun; readonly ready: RunStartResult }
  /** The bridge serves the clients until the clock reaches `until`, in milliseconds. */
  | { readonly kind: 'failed'; readonly problem: string | undefined; readonly until: number };

const NO_RUN: SecondRunState = { kind: 'none' };
/** The bridge serves all clients until the first run has been replaced. */
const BRIDGE_ONLY: SecondRunState = { kind: 'failed', problem: undefined, until: Infinity };
/** The kinds of {@link RunFailure} that mcpmux does not report, because they are expected. */
const EXPECTED_ENDS: ReadonlySet<RunFailure['kind']> = new Set(['removed', 'moved', 'reloaded', 'shut-down']);

/** A second run of a server that supports both eras, for clients that would lose features on the first run's bridge. */
export class SecondRun {
  private state: SecondRunState = NO_RUN;
  /** The number of starts. Identifies late events of an earlier run, which must be ignored. */
  private startCount = 0;
  /** False if the config or the transport allows only one era. */
  private readonly isPossible: boolean;
  private readonly isRemote: boolean;
  /**
   * The kinds of request that clients accept, but that the run's handshake, made for another client, did not declare.
   */
  readonly undeclaredKinds: UndeclaredKinds;

  /** @param onServing called when the run begins to serve */
  constructor(
    private readonly server: { readonly name: ServerName; readonly config: AnyServerConfig },
    private readonly components: SecondRunComponents,
    private readonly runs: RunControl,
    private readonly onServing: () => void,
  ) {
    const { config } = server;
    const mode = config.protocol ?? components.protocol ?? 'auto';
    this.isRemote = isRemote(config);
    const isSse = isRemote(config) && config.transport === 'sse';
    this.undeclaredKinds = new UndeclaredKinds(this, config.denyRequests);
    this.isPossible = mode === 'auto' && !isSse && !isOnceOnly(config) && !isUnusable(config);
  }

  /** The run, while it serves. Undefined otherwise. */
  get current(): ServerRun | undefined {
    return this.state.kind === 'serving' ? this.state.run : undefined;
  }

  /** The run's connection, while the run serves. Read again for every call. */
  get connection(): Connection | undefined {
    return this.state.kind === 'serving' ? this.state.run.connection : undefined;
  }

  /** The run's identity, lists and process, while the run serves. */
  get startResult(): RunStartResult | undefined {
    return this.state.kind === 'serving' ? this.state.ready : undefined;
  }

  /** Why clients use the bridge, which loses features. Undefined unless the most recent second run has failed. */
  get warning(): string | undefined {
    return this.state.kind === 'failed' ? this.state.problem : undefined;
  }

  /** Returns the connection for a client, or undefined if the client uses the first run. */
  connectionFor(client: EraClient): Connection | undefined {
    const { connection } = this;
    return connection?.dialect.era === client.clientEra && this.isUsefulFor(client) ? connection : undefined;
  }

  /**
   * True if a client would lose features on the bridge to the first run, and a run in its era is starting or can start.
   */
  isNeededBy(client: EraClient): boolean {
    if (!this.isPossible || !this.isUsefulFor(client)) return false;
    const { state } = this;
    if (state.kind === 'starting') return true;
    const { components } = this;
    const { config } = this.server;
    const isDue = state.kind === 'none' || (state.kind === 'failed' && components.clock.now() >= state.until);
    // A verdict means that the server supports only one era.
    return isDue && components.verdicts.eraOf(config) === undefined;
  }

  /**
   * Starts the run if a client needs it. Returns a promise that resolves when the run serves or has failed, or
   * undefined if the client need not wait.
   */
  openFor(client: EraClient): Promise<void> | undefined {
    if (!this.isNeededBy(client)) return undefined;
    const { state } = this;
    if (state.kind === 'starting') return state.settled;
    const settled = this.start(client);
    if (this.state === state) this.state = { kind: 'starting', settled };
    return settled;
  }

  /**
   * Ends the run because the first run has been replaced or has ended. The next client that needs it starts another.
   */
  end(): void {
    const { state, runs, components } = this;
    this.startCount += 1;
    this.state = NO_RUN;
    this.undeclaredKinds.clear();
    if (state.kind === 'serving') void runs.close(state.run, components.limits.drainMs, REMOVE_TIMINGS);
  }

  private isUsefulFor(client: EraClient): boolean {
    const { runs, isRemote: isAtUrl } = this;
    const { connection } = runs.current ?? {};
    if (connection === undefined) return false;
    const { era } = connection.dialect;
    return bridgeLosesFeatures(client, {
      era,
      isRemote: isAtUrl,
      denied: this.server.config.denyRequests ?? [],
    });
  }

  private async start(client: EraClient): Promise<void> {
    const { clientEra: era } = client;
    const { runs, components, onServing } = this;
    const { name: server } = this.server;
    const startNumber = (this.startCount += 1);
    const isCurrent = (): boolean => startNumber === this.startCount;
    components.logger.log('info', 'a second run is started, for clients of the other era', { server, era });
    await runs.open({
      era,
      profile: era === 'legacy' ? handshakeProfile(client) : undefined,
      onReady: (run, ready) => {
        const canSendRequests = ready.hasSession || era === 'modern';
        if (!canSendRequests || !isCurrent()) {
          // Without a session, the server cannot send requests in this era either.
          if (isCurrent()) this.state = BRIDGE_ONLY;
          return void runs.close(run, 0, REMOVE_TIMINGS);
        }
        this.undeclaredKinds.clear();
        this.state = { kind: 'serving', run, ready };
        onServing();
      },
      onFailure: (failure) => {
        if (!isCurrent()) return;
        this.state = this.stateAfterFailure(era, failure);
        this.undeclaredKinds.clear();
      },
    });
  }

  private stateAfterFailure(era: Era, failure: RunFailure): SecondRunState {
    if (this.state.kind === 'failed') return this.state;
    const { components } = this;
    const { name: server, config } = this.server;
    const { clock, logger, verdicts } = components;
    // If the server supports only one era, clients lose nothing on the bridge. A lost session is reopened on demand, so
    // neither is reported.
    const isLostSession = this.state.kind === 'serving' && failure.kind === 'session-lost';
    if (verdicts.eraOf(config) !== undefined || EXPECTED_ENDS.has(failure.kind) || isLostSession)
      return NO_RUN;
    // Some servers fail when probed, so it remains unknown whether the server supports the modern era.
    if (era === 'modern' && this.state.kind !== 'serving') return BRIDGE_ONLY;
    const problem = `the second run, for clients of the ${era} era, has failed, and their calls go to the first one: ${summarize(server, failure)}`;
    logger.log('warn', problem, { server });
    return { kind: 'failed', problem, until: clock.now() + RETRY_DELAY_MS };
  }
}
