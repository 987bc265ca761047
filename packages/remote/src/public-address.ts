import { BlockList, isIP } from 'node:net';

/** Addresses outside the public internet (IANA special-purpose registries), by family. */
const SPECIAL = {
  ipv4:
    '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  // No address outside 2000::/3 is public. The tunnels Teredo and 6to4 hide their destination.
  ipv6: '::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
};
/** An IPv4 address in an IPv6 address, as sockets show it, and as gateways of networks without IPv4 write it. */
const EMBEDDED = /^(?:::ffff:|64:ff9b::)(?<address>\d+\.\d+\.\d+\.\d+|[\da-f]{1,4}:[\da-f]{1,4})$/i;
/** Names that resolve only within a machine or a network. */
const LOCAL_NAME = /^(?:[^.]+|.*\.(?:localhost|local|lan|home\.arpa))\.?$/i;

/**
 * The lists, made for the first address. One list per family, because a list with both families would treat an IPv4
 * address as an IPv6 address too.
 */
let lists: ReturnType<typeof newLists> | undefined;

/** True if an IP address belongs to the public internet, not to this machine, a local network or a reserved range. */
export function isPublicAddress(address: string): boolean {
  const embedded = EMBEDDED.exec(address)?.groups?.['address'];
  if (embedded !== undefined) return isPublicAddress(dotted(embedded));
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !listsOfAddresses()[family].check(address, family);
}

/** True for a link-local IP address, such as the metadata service of a cloud. */
export function isLinkLocalAddress(address: string): boolean {
  const embedded = EMBEDDED.exec(address)?.groups?.['address'];
  if (embedded !== undefined) return isLinkLocalAddress(dotted(embedded));
  const version = isIP(address);
  return version !== 0 && listsOfAddresses().linkLocal.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** True if the host in a URL is evidently not on the public internet, because of its address or its name. */
export function isLocalHost(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : !isPublicAddress(host);
}

/** Returns the host in a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replaceAll(/[[\]]/g, '');
}

function dotted(embedded: string): string {
  if (embedded.includes('.')) return embedded;
  const [high = 0, low = 0] = embedded.split(':').map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function listsOfAddresses(): ReturnType<typeof newLists> {
  return (lists ??= newLists());
}

function newLists() {
  const linkLocal = new BlockList();
  linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
  linkLocal.addSubnet('fe80::', 10, 'ipv6');
  return { ipv4: listOf('ipv4'), ipv6: listOf('ipv6'), linkLocal };
}

function listOf(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of SPECIAL[family].split(' ')) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
