import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';

import type { ProcessConfig } from '../server/config/server-config.js';
import type { Upstream } from '../server/upstream.js';
import { RecordedUpstream } from './recorded-upstream.js';
import { upstreamRig, type UpstreamRig, type UpstreamRigInit } from './upstream-rig.js';

/** An upstream over the process of a fixture, and the lifeline of everything that this process starts. */
export class FixtureUpstream implements AsyncDisposable {
  private constructor(
    readonly lifeline: Lifeline,
    readonly rig: UpstreamRig,
    readonly server: RecordedUpstream,
  ) {}

  /** Makes the upstream, and does not start it. */
  static async prepare(
    fixture: FixtureName,
    init: UpstreamRigInit = {},
    config: Partial<ProcessConfig> = {},
  ): Promise<FixtureUpstream> {
    const lifeline = await Lifeline.open();
    const environment = { ...process.env, ...init.environment, LIFELINE: lifeline.address };
    const rig = upstreamRig({ ...init, environment });
    const server = new RecordedUpstream({ ...fixtureCommand(fixture), ...config }, rig.components);
    return new FixtureUpstream(lifeline, rig, server);
  }

  /** Starts the fixture and waits for the outcome. */
  static async start(
    fixture: FixtureName,
    init: UpstreamRigInit = {},
    config: Partial<ProcessConfig> = {},
  ): Promise<FixtureUpstream> {
    const prepared = await FixtureUpstream.prepare(fixture, init, config);
    await prepared.upstream.start();
    return prepared;
  }

  get upstream(): Upstream {
    return this.server.upstream;
  }

  /** The process id of a server that runs. */
  get pid(): number {
    const { state } = this.upstream;
    if (state.kind !== 'running' || state.pid === null) throw new Error(`the server is ${state.kind}`);
    return state.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.rig[Symbol.dispose]();
    await this.lifeline[Symbol.asyncDispose]();
  }
}
