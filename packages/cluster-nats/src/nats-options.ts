import { readFileSync } from 'node:fs';

import {
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';

import { serverIdentity } from './server-identity.js';

/** The paths of the TLS files. */
export interface NatsTls {
  /** The CA certificates for checking the servers' certificates. If absent, the system's CA certificates are used. */
  readonly caFile?: string;
  /** The certificate of this node and its key, for servers that require a certificate. */
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** The connection to the NATS servers, and the name of the mcpmux cluster. */
export interface NatsOptions {
  /** URLs `nats://[user:password@]host[:port]` or `tls://…`. One reachable server is enough to discover the others. */
  readonly servers: readonly string[];
  /** Distinguishes mcpmux clusters that use the same account. May contain `[A-Za-z0-9_-]`. Defaults to `mcpmux`. */
  readonly name?: string | undefined;
  /** The name of this node in the connection list of NATS. */
  readonly node?: string | undefined;
  /** The path of a credentials file in the format of `nsc`. */
  readonly credentialsFile?: string | undefined;
  /** The path of a file with the seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  readonly tls?: NatsTls | undefined;
  /** The number of NATS servers that store a bucket: 1, 3 or 5. Defaults to 3, or 1 while there are fewer than 3. */
  readonly replicas?: number | undefined;
  /** True for a program that only reads the shared data of the nodes and creates no buckets. */
  readonly isReader?: boolean | undefined;
  /**
   * Called once per lost connection if the servers reject the credentials during a reconnect. The client continues to
   * retry with the current content of the credential files.
   */
  readonly onRefused?: ((problem: string) => void) | undefined;
}

const SCHEME_PREFIX = /^[a-z][a-z\d+.-]*:\/\//i;
const SUPPORTED_PROTOCOLS = new Set(['nats:', 'tls:']);
const CONNECT_TIMEOUT_MS = 5000;
const RECONNECT_WAIT_MS = 500;
const PING_INTERVAL_MS = 5000;
const MAX_PINGS_OUT = 2;

/** Returns the client's options. @throws Error for an invalid URL or an unreadable file */
export function clientOptions(options: NatsOptions): NodeConnectionOptions {
  const { servers, node, tls } = options;
  const urls = servers.map(requireUrl);
  const login = urls.find(({ username }) => username !== '');
  const authenticator = createAuthenticator(options);
  return {
    servers: urls.map(({ host }) => host),
    ...(node !== undefined && { name: `mcpmux ${node}` }),
    ...(login !== undefined && parseLogin(login)),
    ...(authenticator !== undefined && { authenticator }),
    ...((tls !== undefined || urls.some(({ protocol }) => protocol === 'tls:')) && {
      tls: { ...tls, ...serverIdentity(urls) },
    }),
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    // Otherwise, the client would give up after two refusals, although the operator may be renewing the credentials.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_OUT,
  };
}

/** Returns the server URLs without user names, passwords or tokens, for messages. */
export function redactedServers({ servers }: NatsOptions): string {
  return servers
    .map((server) => {
      const url = parseUrl(server);
      return url === undefined ? 'an unreadable URL' : `${url.protocol}//${url.host}`;
    })
    .join(', ');
}

function requireUrl(server: string, index: number): URL {
  const url = parseUrl(server);
  if (url !== undefined) return url;
  // The message omits the URL, because an invalid URL may contain a password anywhere.
  throw new Error(
    `URL ${index + 1} is not of the form nats://[user:password@]host[:port] or tls://…; in a password, write / as %2F, @ as %40 and # as %23`,
  );
}

function parseUrl(server: string): URL | undefined {
  const text = SCHEME_PREFIX.test(server) ? server : `nats://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SUPPORTED_PROTOCOLS.has(url.protocol) || url.host === '') return undefined;
  // An unescaped `/` or `#` in a password would end the host too early.
  return url.pathname.length <= 1 && url.search === '' && url.hash === '' ? url : undefined;
}

function parseLogin({ username, password }: URL): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  const user = decodeURIComponent(username);
  return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) };
}

/** Reads the credential file on each authentication, because renewed credentials are written to the same file. */
function createAuthenticator({ credentialsFile, nkeyFile }: NatsOptions): Authenticator | undefined {
  if (credentialsFile !== undefined) return reloadingAuthenticator(credentialsFile, credsAuthenticator);
  if (nkeyFile === undefined) return undefined;
  return reloadingAuthenticator(nkeyFile, (seed) => nkeyAuthenticator(Buffer.from(seed.toString().trim())));
}

/**
 * Authenticates with the current content of the file, or with the last readable content. An error here would end the
 * connection permanently, although the file may only be incomplete while it is being written.
 */
function reloadingAuthenticator(file: string, create: (content: Buffer) => Authenticator): Authenticator {
  let last = create(readFileSync(file));
  return (nonce) => {
    try {
      const authenticator = create(readFileSync(file));
      const proof = authenticator(nonce);
      last = authenticator;
      return proof;
    } catch {
      return last(nonce);
    }
  };
}
