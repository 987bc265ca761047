import { isIP } from 'node:net';

import { hostOf, isLinkLocalAddress, isLocalHost, isPublicAddress } from './public-address.js';
import type { AddressRule } from './public-lookup.js';
import { RemoteError } from './remote-error.js';

const ADVICE =
  'mcpmux sent nothing there. The operator of the server has to correct the urls of its authorization server.';

/**
 * Decides to which hosts a login may send requests. A server names its authorization server, whose metadata name
 * endpoints. Once a public host has answered, only public hosts are allowed: a stranger must not have mcpmux send
 * requests into the network around it. Before that, private networks and this machine are allowed as well. Link-local
 * addresses never are.
 */
export class AuthorizationReach implements AddressRule {
  private isNamedInPublic = false;

  /** Requests go to this address. From now on its answers may name hosts. */
  note(address: string): void {
    if (isPublicAddress(address)) this.isNamedInPublic = true;
  }

  allows(address: string): boolean {
    if (isPublicAddress(address)) return true;
    return !this.isNamedInPublic && !isLinkLocalAddress(address);
  }

  /** True if a url may be requested, by its text. The addresses of a host name are judged when they are looked up. */
  admits(url: URL): boolean {
    const host = hostOf(url);
    if (isIP(host) !== 0) return this.allows(host);
    return !this.isNamedInPublic || !isLocalHost(url);
  }

  refusal(hostname: string): RemoteError {
    const network = this.isNamedInPublic ? 'this machine or a private network' : 'a link-local network';
    return new RemoteError(`the authorization server is at ${hostname}, an address of ${network}`, ADVICE);
  }
}
