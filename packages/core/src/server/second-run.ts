import type { Clock, Logger } from '@mcpmux/kit';
import type { ServerName } from '@mcpmux/namespace';
import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import type { EraVerdicts } from './config/era-verdicts.js';
import { isRemote, isStreams, isUnusable, type AnyServerConfig } from './config/server-config.js';
import type { Era } from './dialect/era.js';
import { isLossy, type EraClient } from './dialect/second-era.js';
import type { Connection } from './link/connection.js';
import { summarize, type RunFailure } from './link/run-failure.js';
import type { RunReady } from './run/run-contract.js';
import type { RunComponents } from './run/run-components.js';
import type { ServerRun } from './run/server-run.js';
import type { SecondInit } from './runs.js';

/** After a second run has failed, the bridge serves its clients for this long, in milliseconds. */
const RETRY_MS = 60_000;

/** The runs of the server, as far as a {@link SecondRun} needs them. */
interface Beside {
  readonly current: ServerRun | undefined;
  open(init: SecondInit): Promise<void>;
  close(run: ServerRun, drainMs: number, timings: typeof REMOVE_TIMINGS): Promise<void>;
}

/** The dependencies of a {@link SecondRun}. */
export interface SecondRunParts {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  readonly components: Pick<RunComponents, 'protocol' | 'verdicts' | 'clock' | 'logger' | 'limits'> & {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly verdicts: EraVerdicts;
  };
  readonly runs: Beside;
  /** The run serves from now on. */
  readonly began: () => void;
}

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'starting'; readonly settled: Promise<void> }
  | { readonly kind: 'serving'; readonly run: ServerRun; readonly ready: RunReady }
  /** The bridge serves the clients until then. */
  | { readonly kind: 'failed'; readonly problem: string | undefined; readonly until: number };

const NONE: State = { kind: 'none' };
/** So ends a run that nobody needs any more. */
const EXPECTED: ReadonlySet<RunFailure['kind']> = new Set(['removed', 'moved', 'reloaded', 'shut-down']);

/** A second run of a server of both eras: for the clients that would lose something on the bridge to the other run. */
export class SecondRun {
  private state: State = NONE;
  /** False where the configuration or the transport leaves one era. */
  private readonly isPossible: boolean;

  constructor(private readonly parts: SecondRunParts) {
    const { config, components } = parts;
    const mode = config.protocol ?? components.protocol ?? 'auto';
    const isOld = isRemote(config) && config.transport === 'sse';
    this.isPossible = mode === 'auto' && !isOld && !isStreams(config) && !isUnusable(config);
  }

  /** The connection of the run while it serves. */
  get connection(): Connection | undefined {
    return this.state.kind === 'serving' ? this.state.run.live : undefined;
  }

  /** What the run has found out at its start; undefined while it does not serve. */
  get ready(): RunReady | undefined {
    return this.state.kind === 'serving' ? this.state.ready : undefined;
  }

  /** Why clients cross the bridge that would lose something there; undefined where none does. */
  get warning(): string | undefined {
    return this.state.kind === 'failed' ? this.state.problem : undefined;
  }

  /** The connection for a client; undefined for the one of the first run. */
  connectionFor(client: EraClient): Connection | undefined {
    const { connection } = this;
    return connection?.dialect.era === client.era && this.serves(client) ? connection : undefined;
  }

  /** True if a client would lose something on the bridge to the first run, and a run in its era is on its way or can be had. */
  isNeededBy(client: EraClient): boolean {
    if (!this.isPossible || !this.serves(client)) return false;
    const { state } = this;
    if (state.kind === 'starting') return true;
    const { config, components } = this.parts;
    const isDue = state.kind === 'none' || (state.kind === 'failed' && components.clock.now() >= state.until);
    // A verdict says that the server speaks one era alone.
    return isDue && components.verdicts.of(config) === undefined;
  }

  /** Starts the run if a client needs it. Resolves when it serves, or has failed. Undefined where nothing is to be waited for. */
  openFor(client: EraClient): Promise<void> | undefined {
    if (!this.isNeededBy(client)) return undefined;
    const { state } = this;
    if (state.kind === 'starting') return state.settled;
    const settled = this.start(client);
    if (this.state === state) this.state = { kind: 'starting', settled };
    return settled;
  }

  /** The first run is another one now, or none: the next client that needs a second run starts one. */
  end(): void {
    const { state, parts } = this;
    this.state = NONE;
    if (state.kind === 'serving')
      void parts.runs.close(state.run, parts.components.limits.drainMs, REMOVE_TIMINGS);
  }

  private serves(client: EraClient): boolean {
    const { runs, config } = this.parts;
    const { live } = runs.current ?? {};
    if (live === undefined) return false;
    const { era } = live.dialect;
    return isLossy(client, { era, isRemote: isRemote(config), denied: config.denyRequests ?? [] });
  }

  private async start({ era, profile }: EraClient): Promise<void> {
    const { runs, components, server } = this.parts;
    const beside = runs.current;
    const isLegacy = era === 'legacy';
    components.logger.log('info', 'a second run is started, for clients of the other era', { server, era });
    await runs.open({
      era,
      as: isLegacy ? profile : undefined,
      ready: (run, ready) => {
        // Without a session the server cannot send requests in this era either.
        const isUseful = ready.hasSession || !isLegacy;
        if (!isUseful || runs.current !== beside || beside?.isServing !== true)
          return this.give(run, isUseful ? NONE : { kind: 'failed', problem: undefined, until: Infinity });
        this.state = { kind: 'serving', run, ready };
        this.parts.began();
      },
      failed: (failure) => this.failed(era, failure),
    });
  }

  private give(run: ServerRun, state: State): void {
    this.state = state;
    void this.parts.runs.close(run, 0, REMOVE_TIMINGS);
  }

  private failed(era: Era, failure: RunFailure): void {
    const { kind } = this.state;
    if (kind !== 'starting' && kind !== 'serving') return;
    const { server, components, config } = this.parts;
    const { clock, logger, verdicts } = components;
    // Of a server that speaks one era alone nothing is lost on the bridge. A lost session is opened anew when it is needed.
    const isExpected = verdicts.of(config) !== undefined || EXPECTED.has(failure.kind);
    if (isExpected || (kind === 'serving' && failure.kind === 'session-lost'))
      return void (this.state = NONE);
    const problem = `the second run, for clients of the ${era} era, has failed, and their calls go to the first one: ${summarize(server, failure)}`;
    logger.log('warn', problem, { server });
    this.state = { kind: 'failed', problem, until: clock.now() + RETRY_MS };
  }
}
