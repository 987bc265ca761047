import { isOnceOnly, isRemote } from '../config/server-config.js';
import { NO_CLIENT } from '../dialect/client-profile.js';
import { handshakeProfile, type EraClient } from '../dialect/second-era.js';
import type { PreferredOpening } from '../run/run-contract.js';
import type { Upstream } from '../upstream.js';

/** Starts a server again for its first client, if the server runs in another era or without that client's capabilities. */
export class FirstClientRestart {
  /** Set while the server is started again. */
  restart: Promise<void> | undefined;
  /** True if the server does not start with the capabilities of a client. */
  private failsForClients = false;

  /** @param reload reloads the server by a rule; resolves when the server runs or has failed */
  constructor(
    private readonly upstream: Upstream,
    private readonly reload: (rule: string) => Promise<unknown>,
  ) {}

  /**
   * Starts a program again in the era of the first client that needs it. Resolves when the program runs or has failed.
   * Returns undefined if its run has served a client, or a client has chosen its era already. Then the run stays.
   */
  inEraOf(client: EraClient): Promise<void> | undefined {
    const { preferred, config, connection } = this.upstream;
    if (!this.isUnused || preferred?.era !== undefined || isRemote(config)) return undefined;
    const wanted = { era: client.wantedEra, as: handshakeProfile(client) };
    // The server ran before in the other era.
    return (this.restart ??= this.reopen('era of its client', wanted, { era: connection?.dialect.era }));
  }

  /**
   * Starts a server again for its first client, if mcpmux declared none of the kinds of request that this client
   * accepts. Resolves when the server runs or has failed. Returns undefined if the server stays: nothing is missing, or
   * the server has served a client.
   */
  withCapabilitiesOf(client: EraClient): Promise<void> | undefined {
    const { upstream, restart } = this;
    const { undeclared, connection, second } = upstream;
    if (restart !== undefined || connection === undefined) return restart;
    if (second.connectionFor(client) !== undefined) second.undeclared.noteFor(client);
    const missing = undeclared.for(client);
    if (missing.length === 0) return undefined;
    if (this.isUnused && undeclared.isEarly && !this.failsForClients)
      return (this.restart = this.reopenAs(client));
    if (upstream.connectionFor(client) === connection) undeclared.note(missing);
    return undefined;
  }

  /** True if no client has used the server, and it can be started again. */
  private get isUnused(): boolean {
    const { connections, config } = this.upstream;
    return (
      connections.length > 0 && connections.every(({ calls }) => !calls.hasServed) && !isOnceOnly(config)
    );
  }

  private async reopenAs(client: EraClient): Promise<void> {
    const { era } = this.upstream.preferred ?? {};
    const wanted = { era, as: handshakeProfile(client) };
    // The server ran before without a client.
    // No client has called a tool of the first run. Some servers offer tools only to a client that accepts requests.
    this.upstream.offer.admit(this.upstream.restarts === 0);
    await this.reopen('capabilities of its client', wanted, { era, as: NO_CLIENT });
    this.failsForClients = this.upstream.undeclared.isEarly;
  }

  /** Reloads the server with an opening that is in force for this start, or as it ran before if it does not start so. */
  private async reopen(rule: string, wanted: PreferredOpening, before: PreferredOpening): Promise<void> {
    const { upstream } = this;
    upstream.preferred = wanted;
    await this.reload(rule);
    upstream.offer.admit(false);
    if (upstream.state.kind === 'crashed') {
      upstream.preferred = before;
      await this.reload(rule);
    }
    // Only the era stays: a later start gets the capabilities of the last client.
    upstream.preferred = { era: upstream.preferred.era };
    this.restart = undefined;
  }
}
