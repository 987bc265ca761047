import { isIP } from 'node:net';

import { hostOf, isLinkLocalAddress, isLocalHost, isPublicAddress } from './public-address.js';
import type { AddressRule } from './public-lookup.js';
import { RemoteError } from './remote-error.js';

const ADVICE =
  'mcpmux sent nothing there. The operator of the server has to correct the urls of its authorization server.';

/**
 * Which hosts an authorization server may have. A server names it, and its metadata name the endpoints. Hosts of the
 * public internet may name only such hosts: otherwise they would have mcpmux send requests into the network around it.
 * A server of this machine or of a private network may name those as well. Nobody may name link-local addresses.
 */
export class AuthorizationReach implements AddressRule {
  private isNamedInPublic = false;

  /** A host at this address answers, and its answers name hosts. */
  note(address: string): void {
    if (isPublicAddress(address)) this.isNamedInPublic = true;
  }

  allows(address: string): boolean {
    if (isPublicAddress(address)) return true;
    return !this.isNamedInPublic && !isLinkLocalAddress(address);
  }

  /** Whether the text of a url allows it. The addresses of a host name are judged when they are looked up. */
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
