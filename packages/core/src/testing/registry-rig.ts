import { Fleet } from '../server/registry/fleet.js';
import { Registry } from '../server/registry/registry.js';
import type { ServerReport } from '../server/run/server-report.js';
import type { Upstream } from '../server/upstream.js';
import type { FakeSpawner } from './fake-server.js';
import type { RecordingLogger } from './recording-logger.js';
import { fakeUpstreamRig, upstreamRig, type UpstreamRig, type UpstreamRigInit } from './upstream-rig.js';

/** A registry whose events are kept, and that is shut down at the end of its scope. */
export class RegistryRig implements AsyncDisposable {
  readonly registry: Registry;
  /** What its owner was told, in a few words per event. */
  readonly events: string[] = [];
  /** What its servers have written to stderr. */
  readonly stderr: string[] = [];

  private constructor(private readonly rig: UpstreamRig) {
    const fleet = new Fleet(rig.components, (upstream, report) => {
      if (report.kind === 'stderr') this.stderr.push(report.line);
      const words = wordsOf(upstream, report);
      if (words !== undefined) this.events.push(words);
    });
    this.registry = new Registry('shared', fleet);
  }

  static overFakes(spawner: FakeSpawner, init: UpstreamRigInit = {}): RegistryRig {
    return new RegistryRig(fakeUpstreamRig(spawner, init));
  }

  static overProcesses(init: UpstreamRigInit = {}): RegistryRig {
    return new RegistryRig(upstreamRig(init));
  }

  get logger(): RecordingLogger {
    return this.rig.logger;
  }

  /** Names of the registered servers, in their order. */
  get names(): readonly string[] {
    return this.registry.list().map(({ name }) => name);
  }

  /** The states of the registered servers, in their order. */
  get states(): readonly Upstream['state']['kind'][] {
    return this.registry.list().map(({ state }) => state.kind);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registry.shutDown();
    this.rig[Symbol.dispose]();
  }
}

function wordsOf({ name, state }: Upstream, report: ServerReport<Upstream>): string | undefined {
  switch (report.kind) {
    case 'added':
    case 'removed':
    case 'replaced':
    case 'approved':
      return `${report.kind} ${name}`;
    case 'state-changed':
      return `${name} ${state.kind}`;
    case 'list-changed':
      return `${report.list} of ${name}`;
    case 'swap-failed':
      return `${name} not swapped`;
    case 'unpinned':
      return `unpinned ${name}: ${[...report.findings].map((finding) => finding.join(' ')).join(', ')}`;
    case 'second-began':
      return `second run of ${name}`;
    case 'reloading':
    case 'spawned':
    case 'stderr':
    case 'stdout':
      return undefined;
  }
}
