import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';

import { AuthorizationReach } from './authorization-reach.js';
import type { BodyLimits } from './body-source.js';
import type { Fetch } from './fetch.js';
import { HttpClient, type HttpRequest } from './http-client.js';
import { hostOf } from './public-address.js';
import { publicLookup, ruledLookup, type AddressRule, type LookupAll } from './public-lookup.js';
import type { Sending } from './sending.js';

/** How a {@link RemoteHttp} reaches hosts. */
export interface RemoteHttpOptions {
  /** The host name of the server must resolve to public addresses. */
  readonly isPublic?: boolean | undefined;
  readonly reach?: AuthorizationReach;
  readonly lookUp?: LookupAll;
}

/** HTTP to one server, and to the hosts that issue tokens for it. */
export class RemoteHttp {
  private readonly reach: AuthorizationReach;
  private readonly server: HttpClient;
  /** For what is asked of the server now and then, such as a token. */
  private readonly rarely: HttpClient;
  private readonly others: HttpClient;

  constructor(
    private readonly url: URL,
    limits: BodyLimits,
    { isPublic = false, reach = new AuthorizationReach(), lookUp = lookup }: RemoteHttpOptions = {},
  ) {
    this.reach = reach;
    reach.note(hostOf(url));
    const noted = noting(lookUp, reach);
    const ofServer = isPublic ? publicLookup(noted) : ruledLookup(ANYWHERE, noted);
    this.server = new HttpClient(limits, ofServer);
    // A person may take minutes between two requests of a login.
    this.rarely = new HttpClient(limits, ofServer, false);
    this.others = new HttpClient(limits, ruledLookup(reach, noted), false);
  }

  /** Sends a request in bytes to the server. */
  send(url: URL, request: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    return this.server.send(url, request, sending);
  }

  /** Sends a request to the server. */
  readonly fetch: Fetch = (url, init) => this.server.fetch(url, init);

  /** Sends a request to a url that the server or its authorization server has named. */
  readonly fetchNamed: Fetch = async (input, init) => {
    const url = new URL(input);
    if (url.origin === this.url.origin) return this.rarely.fetch(url, init);
    if (!this.reach.admits(url)) throw this.reach.refusal(url.host);
    this.reach.note(hostOf(url));
    return this.others.fetch(url, init);
  };

  /** Ends every connection at once. */
  destroy(): void {
    this.server.destroy();
    this.rarely.destroy();
    this.others.destroy();
  }
}

const ANYWHERE: AddressRule = { allows: () => true, refusal: (hostname) => new Error(hostname) };

/** A lookup that notes each address it finds: requests go there, and the answers name further hosts. */
function noting(lookUp: LookupAll, reach: AuthorizationReach): LookupAll {
  return (hostname, options, callback) =>
    lookUp(hostname, options, (error, addresses = []) => {
      for (const { address } of addresses) reach.note(address);
      callback(error, addresses);
    });
}
