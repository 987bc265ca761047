import { BlockList, isIP } from 'node:net';

/** Address ranges outside the public internet (IANA special-purpose registries), by family. */
const SPECIAL_RANGES = {
  ipv4:
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  // Only addresses in 2000::/3 are public. Teredo and 6to4 addresses are excluded: they hide the real destination.
  ipv6: '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
};
/** Matches an IPv6 address that contains an IPv4 address, as sockets (`::ffff:`) and NAT64 gateways write it. */
const EMBEDDED_IPV4 = /^(?:::ffff:|64:ff9b::)(?<address>\d+\.\d+\.\d+\.\d+|[\da-f]{1,4}:[\da-f]{1,4})$/i;
/** Matches names that resolve only within a machine or a local network. */
const LOCAL_NAME = /^(?:[^.]+|.*\.(?:localhost|local|lan|home\.arpa))\.?$/i;

/**
 * The address lists, created when the first address is checked. Each family has its own list, because a shared list
 * would also match IPv4 addresses as IPv6 addresses.
 */
let lists: ReturnType<typeof createAddressLists> | undefined;

/** True if an IP address is on the public internet. False for this machine, local networks and reserved ranges. */
export function isPublicAddress(address: string): boolean {
  const embedded = EMBEDDED_IPV4.exec(address)?.groups?.['address'];
  if (embedded !== undefined) return isPublicAddress(toDottedIpv4(embedded));
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !addressLists()[family].check(address, family);
}

/** True for a link-local IP address, such as the address of a cloud's metadata service. */
export function isLinkLocalAddress(address: string): boolean {
  const embedded = EMBEDDED_IPV4.exec(address)?.groups?.['address'];
  if (embedded !== undefined) return isLinkLocalAddress(toDottedIpv4(embedded));
  const version = isIP(address);
  return version !== 0 && addressLists().linkLocal.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** True if a URL's host name or address shows that the host is not on the public internet. */
export function isLocalHost(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : !isPublicAddress(host);
}

/** Returns the host in a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '');
}

function toDottedIpv4(embedded: string): string {
  if (embedded.includes('.')) return embedded;
  const [high = 0, low = 0] = embedded.split(':').map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function addressLists(): ReturnType<typeof createAddressLists> {
  return (lists ??= createAddressLists());
}

function createAddressLists() {
  const linkLocal = new BlockList();
  linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
  linkLocal.addSubnet('fe80::', 10, 'ipv6');
  return { ipv4: createBlockList('ipv4'), ipv6: createBlockList('ipv6'), linkLocal };
}

function createBlockList(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of SPECIAL_RANGES[family].split(' ')) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
