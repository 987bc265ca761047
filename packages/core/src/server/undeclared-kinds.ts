import type { ClientProfile } from './dialect/client-profile.js';
import type { ClientRequestKind } from './dialect/client-requests.js';
import { acceptedKinds, undeclaredKinds, type EraClient } from './dialect/second-era.js';
import type { ServerRun } from './run/server-run.js';

/** The kinds of request that clients accept, but that mcpmux did not declare to a server's current run. */
export class UndeclaredKinds {
  private kinds: readonly ClientRequestKind[] = [];

  /**
   * @param runs the server's runs
   * @param deniedKinds the kinds that the server may not send to any client
   */
  constructor(
    private readonly runs: { readonly current: Pick<ServerRun, 'isServing' | 'openedAs'> | undefined },
    private readonly deniedKinds: readonly ClientRequestKind[] = [],
  ) {}

  /** Returns the kinds that a client accepts but that were not declared. */
  forCaller(client: Pick<EraClient, 'profile'>): readonly ClientRequestKind[] {
    const { openedAs } = this;
    return openedAs === undefined ? [] : undeclaredKinds(client, openedAs, this.deniedKinds);
  }

  /** True if the run was opened without a client that accepts requests. */
  get isOpenedWithoutClient(): boolean {
    return acceptedKinds({ profile: this.openedAs }).length === 0;
  }

  /** Records undeclared kinds that a client accepts. mcpmux does not restart the server to declare them. */
  record(kinds: readonly ClientRequestKind[]): void {
    this.kinds = [...new Set([...this.kinds, ...kinds])];
  }

  /** Records the undeclared kinds for a client of this run. */
  recordFor(client: Pick<EraClient, 'profile'>): void {
    this.record(this.forCaller(client));
  }

  /** Forgets the recorded kinds, because another run begins to serve. */
  clear(): void {
    this.kinds = [];
  }

  private get openedAs(): ClientProfile | undefined {
    const { current } = this.runs;
    return current?.isServing === true ? current.openedAs : undefined;
  }

  /** Describes the recorded kinds and the remedy in a sentence. Undefined if there are none. */
  get warning(): string | undefined {
    const { kinds } = this;
    if (kinds.length === 0) return undefined;
    return `does not ask for ${kinds.join(', ')}: it started before the clients that accept this, and reload_server tells it`;
  }
}
