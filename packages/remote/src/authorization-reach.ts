import { isIP } from 'node:net';

import { hostOf, isLinkLocalAddress, isLocalHost, isPublicAddress } from './public-address.js';
import type { AddressRule } from './public-lookup.js';
import { AddressRefusedError, type RemoteError } from './remote-error.js';

const ADVICE =
  'mcpmux sent nothing there. The operator of the server has to correct the urls of its authorization server.';

/**
 * Decides to which hosts a login may send requests. A server names its authorization server, whose metadata name
 * endpoints. Once a public host has been contacted, only public hosts are allowed, because an untrusted host must not
 * make mcpmux send requests into its local network. Before that, private networks and this machine are also allowed.
 * Link-local addresses are never allowed.
 */
export class AuthorizationReach implements AddressRule {
  private isNamedInPublic = false;

  /** Notes that requests go to this address. Its responses may name hosts from then on. */
  note(address: string): void {
    if (isPublicAddress(address)) this.isNamedInPublic = true;
  }

  allows(address: string): boolean {
    if (isPublicAddress(address)) return true;
    return !this.isNamedInPublic && !isLinkLocalAddress(address);
  }

  /** True if a URL may be requested, judging by its text. The addresses of a host name are checked at lookup. */
  admits(url: URL): boolean {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.allows(host);
    return !this.isNamedInPublic || !isLocalHost(url);
  }

  refusal(hostname: string): RemoteError {
    const network = this.isNamedInPublic ? 'this machine or a private network' : 'a link-local network';
    return new AddressRefusedError(
      `the authorization server is at ${hostname}, an address of ${network}`,
      ADVICE,
    );
  }
}
