import { isOnceOnly, isRemote } from '../config/server-config.js';
import { NO_CLIENT } from '../dialect/client-profile.js';
import { handshakeProfile, type EraClient } from '../dialect/second-era.js';
import type { PreferredOpening } from '../run/run-contract.js';
import type { Upstream } from '../upstream.js';

/** Restarts a server for its first client if the server runs in another era or without that client's capabilities. */
export class FirstClientRestart {
  /** Set while the server restarts. */
  ongoingRestart: Promise<void> | undefined;
  /** True if the server failed to start with a client's capabilities. */
  private failsForClients = false;

  /** @param reload reloads the server for the reason in `rule`; resolves when the server is running or has failed */
  constructor(
    private readonly upstream: Upstream,
    private readonly reload: (rule: string) => Promise<unknown>,
  ) {}

  /**
   * Restarts a program in the era of its first client. Resolves when the program runs or has failed. Returns undefined
   * if there is no restart, because a client has used the run or has already determined its era.
   */
  restartInEraOf(client: EraClient): Promise<void> | undefined {
    const { preferredOpening, config, connection } = this.upstream;
    if (!this.isUnused || preferredOpening?.era !== undefined || isRemote(config)) return undefined;
    const wantedOpening = { era: client.clientEra, profile: handshakeProfile(client) };
    // If the start fails, the server returns to the era in which it ran before.
    return (this.ongoingRestart ??= this.reopen('era of its client', wantedOpening, {
      era: connection?.dialect.era,
    }));
  }

  /**
   * Restarts a server for its first client, if mcpmux declared none of the kinds of request that this client accepts.
   * Resolves when the server is running or has failed. Returns undefined if there is no restart, because all kinds were
   * declared or a client has already used the server.
   */
  restartWithCapabilitiesOf(client: EraClient): Promise<void> | undefined {
    const { upstream, ongoingRestart } = this;
    const { undeclaredKinds, connection, secondRun } = upstream;
    if (ongoingRestart !== undefined || connection === undefined) return ongoingRestart;
    if (secondRun.connectionFor(client) !== undefined) secondRun.undeclaredKinds.recordFor(client);
    const missingKinds = undeclaredKinds.forCaller(client);
    if (missingKinds.length === 0) return undefined;
    if (this.isUnused && undeclaredKinds.isOpenedWithoutClient && !this.failsForClients)
      return (this.ongoingRestart = this.reopenFor(client));
    if (upstream.connectionFor(client) === connection) undeclaredKinds.record(missingKinds);
    return undefined;
  }

  /** True if no client has used the server and a restart is possible. */
  private get isUnused(): boolean {
    const { connections, config } = this.upstream;
    return (
      connections.length > 0 && connections.every(({ calls }) => !calls.hasSentCalls) && !isOnceOnly(config)
    );
  }

  private async reopenFor(client: EraClient): Promise<void> {
    const { era } = this.upstream.preferredOpening ?? {};
    const wantedOpening = { era, profile: handshakeProfile(client) };
    // The server has run without a client so far. Some servers offer tools only to clients that accept requests, and no
    // client has called a tool of the first run yet.
    this.upstream.offer.setAdmitsNewTools(this.upstream.restartCount === 0);
    await this.reopen('capabilities of its client', wantedOpening, { era, profile: NO_CLIENT });
    this.failsForClients = this.upstream.undeclaredKinds.isOpenedWithoutClient;
  }

  /**
   * Reloads the server with an opening that applies only to this start, or with `fallbackOpening` if that start fails.
   */
  private async reopen(
    rule: string,
    wantedOpening: PreferredOpening,
    fallbackOpening: PreferredOpening,
  ): Promise<void> {
    const { upstream } = this;
    upstream.preferredOpening = wantedOpening;
    await this.reload(rule);
    upstream.offer.setAdmitsNewTools(false);
    if (upstream.state.kind === 'crashed') {
      upstream.preferredOpening = fallbackOpening;
      await this.reload(rule);
    }
    // Only the era is kept for later starts, because each start declares the capabilities of its own client.
    upstream.preferredOpening = { era: upstream.preferredOpening.era };
    this.ongoingRestart = undefined;
  }
}
