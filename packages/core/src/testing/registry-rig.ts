import { Fleet } from '../server/registry/fleet.js';
import { Registry } from '../server/registry/registry.js';
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
    const report = (what: string): void => void this.events.push(what);
    const fleet = new Fleet(rig.components, {
      added: ({ name }) => report(`added ${name}`),
      removed: ({ name }) => report(`removed ${name}`),
      replaced: ({ name }) => report(`replaced ${name}`),
      stateChanged: ({ name, state }) => report(`${name} ${state.kind}`),
      listChanged: ({ name }, kind) => report(`${kind} of ${name}`),
      stderrLine: (_, line) => void this.stderr.push(line),
      stdoutLine: () => undefined,
      spawned: () => undefined,
      swapFailed: ({ name }) => report(`${name} not swapped`),
      unpinned: ({ name }, findings) =>
        report(`unpinned ${name}: ${[...findings].map((finding) => finding.join(' ')).join(', ')}`),
      secondBegan: ({ name }) => report(`second run of ${name}`),
      reloading: () => undefined,
      approved: ({ name }) => report(`approved ${name}`),
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
