import type { ServerName } from '@mcpmux/namespace';

import { REMOVE_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
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
  close(run: ServerRun, drainMs: number, timings: StopTimings): Promise<void>;
}

/** The dependencies of a {@link SecondRun}. */
export interface SecondRunParts {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  readonly components: Pick<RunComponents, 'protocol' | 'verdicts' | 'clock' | 'logger' | 'limits'>;
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
/** The bridge serves all clients until the server runs anew. */
const USELESS: State = { kind: 'failed', problem: undefined, until: Infinity };
/** The ends of runs that nobody needs any more. */
const EXPECTED: ReadonlySet<RunFailure['kind']> = new Set(['removed', 'moved', 'reloaded', 'shut-down']);

/** A second run of a server of both eras: for the clients that would lose something on the bridge to the other run. */
export class SecondRun {
  private state: State = NONE;
  /** Counts the starts: nothing that an earlier run still does counts. */
  private attempt = 0;
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

  /** The identity, the lists and the process of the run; undefined while it does not serve. */
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
    this.attempt += 1;
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
    const { runs, components, server, began } = this.parts;
    const attempt = (this.attempt += 1);
    const isCurrent = (): boolean => attempt === this.attempt;
    components.logger.log('info', 'a second run is started, for clients of the other era', { server, era });
    await runs.open({
      era,
      as: era === 'legacy' ? profile : undefined,
      ready: (run, ready) => {
        const isUseful = ready.hasSession || era === 'modern';
        if (!isUseful || !isCurrent()) {
          // Without a session the server cannot send requests in this era either.
          if (isCurrent()) this.state = USELESS;
          return void runs.close(run, 0, REMOVE_TIMINGS);
        }
        this.state = { kind: 'serving', run, ready };
        began();
      },
      failed: (failure) => {
        if (isCurrent()) this.state = this.afterFailure(era, failure);
      },
    });
  }

  private afterFailure(era: Era, failure: RunFailure): State {
    if (this.state.kind === 'failed') return this.state;
    const { server, components, config } = this.parts;
    const { clock, logger, verdicts } = components;
    // Of a server that speaks one era alone nothing is lost on the bridge. A lost session is opened anew when it is needed.
    const isLostSession = this.state.kind === 'serving' && failure.kind === 'session-lost';
    if (verdicts.of(config) !== undefined || EXPECTED.has(failure.kind) || isLostSession) return NONE;
    // Whether it has the modern era, too, is not known: servers exist that break down over the question.
    if (era === 'modern' && this.state.kind !== 'serving') return USELESS;
    const problem = `the second run, for clients of the ${era} era, has failed, and their calls go to the first one: ${summarize(server, failure)}`;
    logger.log('warn', problem, { server });
    return { kind: 'failed', problem, until: clock.now() + RETRY_MS };
  }
}
