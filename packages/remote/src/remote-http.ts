import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';

import { AuthorizationReach } from './authorization-reach.js';
import type { BodyLimits } from './body-source.js';
import type { Fetch } from './fetch.js';
import { HttpClient, type HttpRequest } from './http-client.js';
import { hostOf } from './public-address.js';
import { publicLookup, ruledLookup, type AddressRule, type LookupAll } from './public-lookup.js';
import type { Sending } from './sending.js';

/** Options for how a {@link RemoteHttp} connects to hosts. */
export interface RemoteHttpOptions {
  /** True if the host name of the server must resolve to public addresses. */
  readonly publicOnly?: boolean | undefined;
  readonly reach?: AuthorizationReach;
  readonly lookUp?: LookupAll;
}

/** HTTP requests to one server, and to the hosts that issue tokens for it. */
export class RemoteHttp {
  private readonly reach: AuthorizationReach;
  private readonly server: HttpClient;
  /** The client for infrequent requests to the server, such as token requests. */
  private readonly rarely: HttpClient;
  private readonly others: HttpClient;

  constructor(
    private readonly url: URL,
    limits: BodyLimits,
    { publicOnly = false, reach = new AuthorizationReach(), lookUp = lookup }: RemoteHttpOptions = {},
  ) {
    this.reach = reach;
    reach.note(hostOf(url));
    const noted = noting(lookUp, reach);
    const ofServer = publicOnly ? publicLookup(noted) : ruledLookup(ANYWHERE, noted);
    this.server = new HttpClient(limits, ofServer);
    // The user may take minutes between two requests of a login.
    this.rarely = new HttpClient(limits, ofServer, false);
    this.others = new HttpClient(limits, ruledLookup(reach, noted), false);
  }

  /** Sends a request with a body in bytes to the server. */
  send(url: URL, request: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    return this.server.send(url, request, sending);
  }

  /** Sends a request to the server. */
  readonly fetch: Fetch = (url, init) => this.server.fetch(url, init);

  /** Sends a request to a URL that the server or its authorization server has named. */
  readonly fetchNamed: Fetch = async (input, init) => {
    const url = new URL(input);
    if (url.origin === this.url.origin) return this.rarely.fetch(url, init);
    if (!this.reach.admits(url)) throw this.reach.refusal(url.host);
    this.reach.note(hostOf(url));
    return this.others.fetch(url, init);
  };

  /** Closes every connection at once. */
  destroy(): void {
    this.server.destroy();
    this.rarely.destroy();
    this.others.destroy();
  }
}

const ANYWHERE: AddressRule = { allows: () => true, refusal: (hostname) => new Error(hostname) };

/** Returns a lookup that notes each found address, because requests go to it and its responses name further hosts. */
function noting(lookUp: LookupAll, reach: AuthorizationReach): LookupAll {
  return (hostname, options, callback) =>
    lookUp(hostname, options, (error, addresses = []) => {
      for (const { address } of addresses) reach.note(address);
      callback(error, addresses);
    });
}
