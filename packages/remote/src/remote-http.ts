import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';

import { AuthorizationReach } from './authorization-reach.js';
import type { BodyLimits } from './body-source.js';
import type { Fetch } from './fetch.js';
import { HttpClient, type HttpRequest } from './http-client.js';
import { hostOf } from './public-address.js';
import { publicLookup, checkedLookup, type AddressRule, type LookupAll } from './public-lookup.js';
import type { Sending } from './sending.js';

/** The connection options of a {@link RemoteHttp}. */
export interface RemoteHttpOptions {
  /** True if the server's host name must resolve to public addresses. */
  readonly publicOnly?: boolean | undefined;
  readonly reach?: AuthorizationReach;
  readonly lookUp?: LookupAll;
}

/** Sends HTTP requests to one server, and to the authorization servers that issue tokens for it. */
export class RemoteHttp {
  private readonly authorizationReach: AuthorizationReach;
  private readonly serverClient: HttpClient;
  /** The HTTP client for infrequent requests to the server. It does not reuse connections. */
  private readonly occasionalClient: HttpClient;
  private readonly namedHostClient: HttpClient;

  constructor(
    private readonly url: URL,
    limits: BodyLimits,
    { publicOnly = false, reach = new AuthorizationReach(), lookUp = lookup }: RemoteHttpOptions = {},
  ) {
    this.authorizationReach = reach;
    reach.note(hostOf(url));
    const recordingLookup = withRecordedAddresses(lookUp, reach);
    const serverLookup = publicOnly
      ? publicLookup(recordingLookup)
      : checkedLookup(ANY_ADDRESS_RULE, recordingLookup);
    this.serverClient = new HttpClient(limits, serverLookup);
    // These clients do not reuse connections, because minutes may pass between two requests of a login.
    this.occasionalClient = new HttpClient(limits, serverLookup, false);
    this.namedHostClient = new HttpClient(limits, checkedLookup(reach, recordingLookup), false);
  }

  /** Sends a request to the server, like {@link HttpClient}'s `send`. */
  send(url: URL, request: HttpRequest, sending: Sending): Promise<IncomingMessage> {
    return this.serverClient.send(url, request, sending);
  }

  /** Sends a request to the server through the `fetch` interface. */
  readonly fetch: Fetch = (url, init) => this.serverClient.fetch(url, init);

  /** Sends a request to a URL that the server or its authorization server has named. */
  readonly fetchNamedUrl: Fetch = async (input, init) => {
    const url = new URL(input);
    if (url.origin === this.url.origin) return this.occasionalClient.fetch(url, init);
    if (!this.authorizationReach.admits(url)) throw this.authorizationReach.refusal(url.host);
    this.authorizationReach.note(hostOf(url));
    return this.namedHostClient.fetch(url, init);
  };

  /** Closes all connections at once. */
  destroy(): void {
    this.serverClient.destroy();
    this.occasionalClient.destroy();
    this.namedHostClient.destroy();
  }
}

const ANY_ADDRESS_RULE: AddressRule = { allows: () => true, refusal: (hostname) => new Error(hostname) };

/**
 * Returns a DNS lookup that records each resolved address, because responses from that address may name further hosts.
 */
function withRecordedAddresses(lookUp: LookupAll, reach: AuthorizationReach): LookupAll {
  return (hostname, options, callback) =>
    lookUp(hostname, options, (error, addresses = []) => {
      for (const { address } of addresses) reach.note(address);
      callback(error, addresses);
    });
}
