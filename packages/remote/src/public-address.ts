import { BlockList, isIP } from 'node:net';

/** Addresses outside the public internet (the special-purpose registries of IANA), by family. */
const SPECIAL = {
  ipv4:
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  // Outside of 2000::/3 nothing is public. Tunnels hide where they lead: Teredo, 6to4.
  ipv6: '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
};
/** Of an IPv4 address in an IPv6 one: as sockets show it, and as gateways of networks without IPv4 write it. */
const EMBEDDED = /^(?:::ffff:|64:ff9b::)(?<address>\d+\.\d+\.\d+\.\d+|[\da-f]{1,4}:[\da-f]{1,4})$/i;
/** Names that stay within a machine or a network, whoever asks. */
const LOCAL_NAME = /^(?:[^.]+|.*\.(?:localhost|local|lan|home\.arpa))\.?$/i;

/** One list each: to a list with both, an IPv4 address is an IPv6 one as well. */
const special = { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') };
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');

/** True if an IP address belongs to the public internet, and not to this machine, a network around it, or nobody. */
export function isPublicAddress(address: string): boolean {
  const embedded = EMBEDDED.exec(address)?.groups?.['address'];
  if (embedded !== undefined) return isPublicAddress(dotted(embedded));
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !special[family].check(address, family);
}

/** True for a link-local IP address, such as that of the metadata service of a cloud. */
export function isLinkLocalAddress(address: string): boolean {
  const embedded = EMBEDDED.exec(address)?.groups?.['address'];
  if (embedded !== undefined) return isLinkLocalAddress(dotted(embedded));
  const version = isIP(address);
  return version !== 0 && linkLocal.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** True if the host of a url is not on the public internet by its own text: by an address, or by its name. */
export function isLocalHost(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : !isPublicAddress(host);
}

/** The host of a url, an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '');
}

function dotted(embedded: string): string {
  if (embedded.includes('.')) return embedded;
  const [high = 0, low = 0] = embedded.split(':').map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function listOf(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of SPECIAL[family].split(' ')) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
