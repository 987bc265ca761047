import { isOnceOnly, isRemote } from '../config/server-config.js';
import { NO_CLIENT } from '../dialect/client-profile.js';
import { handshakeProfile, wantedEra, type EraClient } from '../dialect/second-era.js';
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
    const { preferred, config } = this.upstream;
    const isPossible = this.isUnused && preferred?.era === undefined && !isRemote(config);
    if (isPossible) this.restart ??= this.reopenInEraOf(client);
    return isPossible ? this.restart : undefined;
  }

  /**
   * Starts a server again for its first client, if mcpmux declared none of the kinds of request that this client
   * accepts. Resolves when the server runs or has failed. Returns undefined if the server stays: nothing is missing, or
   * the server has served a client.
   */
  withCapabilitiesOf(client: EraClient): Promise<void> | undefined {
    const { upstream, restart } = this;
    const { undeclared, connection } = upstream;
    if (restart !== undefined || connection === undefined) return restart;
    const missing = undeclared.for(client);
    if (missing.length === 0) return undefined;
    if (this.isUnused && undeclared.isEarly && !this.failsForClients)
      return (this.restart = this.reopenWithCapabilitiesOf(client));
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

  private async reopenInEraOf(client: EraClient): Promise<void> {
    const { upstream } = this;
    const { dialect } = upstream.connection ?? {};
    const rule = 'era of its client';
    await this.reloadAs({ era: wantedEra(client), as: handshakeProfile(client) }, rule);
    // The server ran before in the other era.
    if (upstream.state.kind === 'crashed' && dialect !== undefined)
      await this.reloadAs({ era: dialect.era }, rule);
    upstream.preferred = { era: upstream.preferred?.era };
    this.restart = undefined;
  }

  private async reopenWithCapabilitiesOf(client: EraClient): Promise<void> {
    const { upstream } = this;
    const { preferred } = upstream;
    const rule = 'capabilities of its client';
    await this.reloadAs({ ...preferred, as: handshakeProfile(client) }, rule);
    this.failsForClients = upstream.undeclared.isEarly;
    // The server ran before without a client.
    if (upstream.state.kind === 'crashed') await this.reloadAs({ ...preferred, as: NO_CLIENT }, rule);
    upstream.preferred = preferred;
    this.restart = undefined;
  }

  private async reloadAs(preferred: PreferredOpening, rule: string): Promise<void> {
    this.upstream.preferred = preferred;
    await this.reload(rule);
  }
}
