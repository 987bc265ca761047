import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';

/**
 * Checks the certificates of servers at IP addresses: the client of NATS names no host for them, and Node.js then expects
 * a certificate of `localhost`. A certificate has to be one for an address that the user has given.
 */
export function identityOf(urls: readonly URL[]): {
  readonly checkServerIdentity: NonNullable<ConnectionOptions['checkServerIdentity']>;
} {
  const hosts = urls.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, '$1'));
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  const isUnnamed = (host: string): boolean =>
    host === 'localhost' && addresses.length > 0 && !hosts.includes(host);
  return {
    checkServerIdentity: (host, certificate) => {
      const expected = isUnnamed(host) ? addresses : [host];
      const problems = expected.map((one) => checkServerIdentity(one, certificate));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}
