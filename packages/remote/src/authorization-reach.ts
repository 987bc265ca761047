import { isIP } from 'node:net';

import { hostOf, isLinkLocalAddress, isLocalHost, isPublicAddress } from './public-address.js';
import type { AddressRule } from './public-lookup.js';
import { AddressRefusedError, type RemoteError } from './remote-error.js';

const FORBIDDEN_ADDRESS_ADVICE =
  'mcpmux sent nothing there. The operator of the server has to correct the urls of its authorization server.';

/**
 * Decides to which hosts a login may send requests. A server names its authorization server, whose metadata names the
 * endpoints. After mcpmux has contacted a public host, only public hosts are allowed, because an untrusted host must
 * not make mcpmux send requests into the local network. Before that, private networks and this machine are also
 * allowed. Link-local addresses are never allowed.
 */
export class AuthorizationReach implements AddressRule {
  private hasPublicHost = false;

  /** Records the address of a host that receives requests, because its responses may name further hosts. */
  note(address: string): void {
    if (isPublicAddress(address)) this.hasPublicHost = true;
  }

  allows(address: string): boolean {
    if (isPublicAddress(address)) return true;
    return !this.hasPublicHost && !isLinkLocalAddress(address);
  }

  /** True if a URL is allowed as written. A host name's addresses are checked later, when it is resolved. */
  admits(url: URL): boolean {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.allows(host);
    return !this.hasPublicHost || !isLocalHost(url);
  }

  refusal(hostname: string): RemoteError {
    const network = this.hasPublicHost ? 'this machine or a private network' : 'a link-local network';
    return new AddressRefusedError(
      `the authorization server is at ${hostname}, an address of ${network}`,
      FORBIDDEN_ADDRESS_ADVICE,
    );
  }
}
