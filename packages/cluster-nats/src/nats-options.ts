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
  /** Certificates of the authorities that verify the servers. The system's authorities when absent. */
  readonly caFile?: string;
  /** Certificate of this node, for servers that require one, and its key. */
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** How to reach the NATS servers, and the name of the mcpmux cluster there. */
export interface NatsOptions {
  /**
   * URLs `nats://[user:password@]host[:port]` or `tls://…`. One reachable server is enough, because it names the
   * others.
   */
  readonly servers: readonly string[];
  /** Separates mcpmux clusters that use the same account. Characters `[A-Za-z0-9_-]`; `mcpmux` when absent. */
  readonly name?: string | undefined;
  /** Name of this node in the connection list of NATS. */
  readonly node?: string | undefined;
  /** A credentials file, as `nsc` writes it. */
  readonly credentialsFile?: string | undefined;
  /** A file with the seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  readonly tls?: NatsTls | undefined;
  /**
   * Number of NATS servers that keep each bucket: 1, 3 or 5. When absent: 3, or 1 while NATS has fewer than three
   * servers.
   */
  readonly replicas?: number | undefined;
  /** True for a program that only reads the shared data of the nodes. It creates no bucket. */
  readonly isReader?: boolean | undefined;
  /**
   * Called when the servers refuse the credentials while the connection is renewed, once for each loss of the
   * connection. The client continues to retry, with the current content of the credential files.
   */
  readonly onRefused?: ((problem: string) => void) | undefined;
}

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const SCHEMES = new Set(['nats:', 'tls:']);
const CONNECT_MS = 5000;
const RECONNECT_MS = 500;
const PING_MS = 5000;
const MAX_PINGS_OUT = 2;

/** Returns the client's options. @throws Error for a URL or a file that cannot be read */
export function clientOptions(options: NatsOptions): NodeConnectionOptions {
  const { servers, node, tls } = options;
  const urls = servers.map(readUrl);
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
    // Otherwise, the client would give up after two refusals. The operator may be about to renew the credentials.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: MAX_PINGS_OUT,
  };
}

/** Returns the servers without user names, passwords and tokens, for messages. */
export function visibleServers({ servers }: NatsOptions): string {
  return servers
    .map((server) => {
      const url = urlOf(server);
      return url === undefined ? 'an unreadable URL' : `${url.protocol}//${url.host}`;
    })
    .join(', ');
}

function readUrl(server: string, index: number): URL {
  const url = urlOf(server);
  if (url !== undefined) return url;
  // The URL is not shown, because it may contain a password at an unknown place.
  throw new Error(
    `URL ${index + 1} is not of the form nats://[user:password@]host[:port] or tls://…; in a password, write / as %2F, @ as %40 and # as %23`,
  );
}

function urlOf(server: string): URL | undefined {
  const text = SCHEME.test(server) ? server : `nats://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.has(url.protocol) || url.host === '') return undefined;
  // A / or # in a password would end the host too early.
  return url.pathname.length <= 1 && url.search === '' && url.hash === '' ? url : undefined;
}

function loginOf({ username, password }: URL): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

/** Reads the files at each authentication, because renewed credentials are written to the same file. */
function authenticatorOf({ credentialsFile, nkeyFile }: NatsOptions): Authenticator | undefined {
  if (credentialsFile !== undefined) return current(credentialsFile, credsAuthenticator);
  if (nkeyFile === undefined) return undefined;
  return current(nkeyFile, (seed) => nkeyAuthenticator(Buffer.from(seed.toString().trim())));
}

/**
 * Authenticates with the current content of the file, or with the last content that could be read. An error here would
 * end the connection permanently, although the file may only be incomplete while it is being written.
 */
function current(file: string, of: (content: Buffer) => Authenticator): Authenticator {
  let last = of(readFileSync(file));
  return (nonce) => {
    try {
      const now = of(readFileSync(file));
      const proof = now(nonce);
      last = now;
      return proof;
    } catch {
      return last(nonce);
    }
  };
}
