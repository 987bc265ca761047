import { readFileSync } from 'node:fs';

import {
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';

import { identityOf } from './server-identity.js';

/** Files for TLS. */
export interface NatsTls {
  /** Certificates of the authorities that the servers are checked against; those of the system when absent. */
  readonly caFile?: string;
  /** Certificate of this node, for servers that ask for one, and its key. */
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** How to reach the servers of NATS, and what the cluster of mcpmux is called there. */
export interface NatsOptions {
  /** URLs `nats://[user:password@]host[:port]` or `tls://…`. One that answers is enough: it names the others. */
  readonly servers: readonly string[];
  /** Separates clusters of mcpmux that use the same account. Of `[A-Za-z0-9_-]`; `mcpmux` when absent. */
  readonly name?: string | undefined;
  /** Name of this node in the list of connections of NATS. */
  readonly node?: string | undefined;
  /** A file of credentials, as `nsc` writes it. */
  readonly credentialsFile?: string | undefined;
  /** A file with the seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  readonly tls?: NatsTls | undefined;
  /** How many servers of NATS keep each bucket: 1, 3 or 5. When absent: 3 for three servers or more, else 1. */
  readonly replicas?: number | undefined;
}

const CONNECT_MS = 5000;
const RECONNECT_MS = 500;
const PING_MS = 5000;
const MAX_PINGS_OUT = 2;

/** The options of the client. @throws Error for a file that cannot be read */
export function clientOptions(options: NatsOptions): NodeConnectionOptions {
  const { servers, node, tls } = options;
  const urls = servers.map((server) => new URL(server.includes('://') ? server : `nats://${server}`));
  const login = urls.find(({ username }) => username !== '');
  const authenticator = authenticatorOf(options);
  return {
    servers: urls.map(({ host }) => host),
    ...(node !== undefined && { name: `mcpmux ${node}` }),
    ...(login !== undefined && loginOf(login)),
    ...(authenticator !== undefined && { authenticator }),
    ...((tls !== undefined || urls.some(({ protocol }) => protocol === 'tls:')) && {
      tls: { ...tls, ...identityOf(urls) },
    }),
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
  };
}

/** The servers as they may be shown: without passwords. */
export function shownServers({ servers }: NatsOptions): string {
  return servers.map((server) => server.replace(/\/\/[^@/]*@/, '//')).join(', ');
}

function loginOf({ username, password }: URL): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

function authenticatorOf({ credentialsFile, nkeyFile }: NatsOptions): Authenticator | undefined {
  if (credentialsFile !== undefined) return credsAuthenticator(readFileSync(credentialsFile));
  if (nkeyFile === undefined) return undefined;
  return nkeyAuthenticator(Buffer.from(readFileSync(nkeyFile, 'utf8').trim()));
}
