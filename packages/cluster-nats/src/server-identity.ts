import { isIP } from 'node:net';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';

/**
 * Returns a TLS identity check that supports servers configured by IP address. The NATS client passes no host name for
 * them, so Node.js would expect a certificate for `localhost`. Instead, the certificate must be valid for one of the
 * addresses.
 */
export function serverIdentity(urls: readonly URL[]): {
  readonly checkServerIdentity: NonNullable<ConnectionOptions['checkServerIdentity']>;
} {
  const hosts = urls.map(({ hostname }) => hostname.replace(/^\[(.*)\]$/, '$1'));
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  const isUnnamed = (host: string): boolean =>
    host === 'localhost' && addresses.length > 0 && !hosts.includes(host);
  return {
    checkServerIdentity: (host, certificate) => {
      const acceptedHosts = isUnnamed(host) ? addresses : [host];
      const problems = acceptedHosts.map((one) => checkServerIdentity(one, certificate));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}
