import { isOnceOnly, isRemote } from '../config/server-config.js';
import { NO_CLIENT } from '../dialect/client-profile.js';
import { handshakeProfile, type EraClient } from '../dialect/second-era.js';
import type { PreferredOpening } from '../run/run-contract.js';
import type { Upstream } from '../upstream.js';

/** Restarts a server for its first client if it runs in another era or without that client's capabilities. */
export class FirstClientRestart {
  /** Set while the server restarts. */
  restart: Promise<void> | undefined;
  /** True if the server failed to start with the capabilities of a client. */
  private failsForClients = false;

  /** @param reload reloads the server by a rule; resolves when the server runs or has failed */
  constructor(
    private readonly upstream: Upstream,
    private readonly reload: (rule: string) => Promise<unknown>,
  ) {}

  /**
   * Restarts a program in the era of its first client. Resolves when the program runs or has failed. Returns undefined
   * if there is no restart, because the run has served a client, or because a client has already chosen its era.
   */
  inEraOf(client: EraClient): Promise<void> | undefined {
    const { preferred, config, connection } = this.upstream;
    if (!this.isUnused || preferred?.era !== undefined || isRemote(config)) return undefined;
    const wanted = { era: client.wantedEra, profile: handshakeProfile(client) };
    // The server ran in the other era before.
    return (this.restart ??= this.reopen('era of its client', wanted, { era: connection?.dialect.era }));
  }

  /**
   * Restarts a server for its first client, if mcpmux declared none of the kinds of request that this client accepts.
   * Resolves when the server runs or has failed. Returns undefined if there is no restart, because nothing is missing,
   * or because the server has served a client.
   */
  withCapabilitiesOf(client: EraClient): Promise<void> | undefined {
    const { upstream, restart } = this;
    const { undeclared, connection, second } = upstream;
    if (restart !== undefined || connection === undefined) return restart;
    if (second.connectionFor(client) !== undefined) second.undeclared.recordFor(client);
    const missing = undeclared.forCaller(client);
    if (missing.length === 0) return undefined;
    if (this.isUnused && undeclared.isEarly && !this.failsForClients)
      return (this.restart = this.reopenAs(client));
    if (upstream.connectionFor(client) === connection) undeclared.record(missing);
    return undefined;
  }

  /** True if no client has used the server and a restart is possible. */
  private get isUnused(): boolean {
    const { connections, config } = this.upstream;
    return (
      connections.length > 0 && connections.every(({ calls }) => !calls.hasServed) && !isOnceOnly(config)
    );
  }

  private async reopenAs(client: EraClient): Promise<void> {
    const { era } = this.upstream.preferred ?? {};
    const wanted = { era, profile: handshakeProfile(client) };
    // The server ran without a client before. Some servers offer tools only to clients that accept requests, and no
    // client has called a tool of the first run.
    this.upstream.offer.admit(this.upstream.restarts === 0);
    await this.reopen('capabilities of its client', wanted, { era, profile: NO_CLIENT });
    this.failsForClients = this.upstream.undeclared.isEarly;
  }

  /** Reloads the server with an opening for this start only, or with `fallbackOpening` if that start fails. */
  private async reopen(rule: string, wanted: PreferredOpening, before: PreferredOpening): Promise<void> {
    const { upstream } = this;
    upstream.preferred = wanted;
    await this.reload(rule);
    upstream.offer.admit(false);
    if (upstream.state.kind === 'crashed') {
      upstream.preferred = before;
      await this.reload(rule);
    }
    // Only the era stays, because a later start gets the capabilities of the last client.
    upstream.preferred = { era: upstream.preferred.era };
    this.restart = undefined;
  }
}
