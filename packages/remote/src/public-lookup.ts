import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { isPublicAddress } from './public-address.js';
import { RemoteError } from './remote-error.js';

/** Resolves a host name to all of its addresses. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true; readonly family?: number; readonly hints?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses?: readonly LookupAddress[]) => void,
) => void;

const ADVICE =
  'mcpmux sent nothing. Tell the user why you need this server; the user can add it to the config of mcpmux.';

/** Checks a host name's addresses before a connection is opened. */
export interface AddressRule {
  allows(address: string): boolean;
  /** Creates the error for a forbidden connection to this host. */
  refusal(hostname: string): Error;
}

/** Allows only public addresses, for host names that no person has approved. */
const PUBLIC_ONLY_RULE: AddressRule = {
  allows: isPublicAddress,
  refusal: (hostname) =>
    new RemoteError(`${hostname} resolves to an address of this machine or a private network`, ADVICE),
};

/**
 * Returns a DNS lookup for connections that rejects a host name with an address on this machine or in a local network.
 * The connection uses the addresses that were checked, so later DNS changes have no effect.
 */
export function publicLookup(lookUp: LookupAll = lookup): LookupFunction {
  return checkedLookup(PUBLIC_ONLY_RULE, lookUp);
}

/** Returns a DNS lookup for connections that succeeds only if the rule allows every address of the host. */
export function checkedLookup(rule: AddressRule, lookUp: LookupAll = lookup): LookupFunction {
  return (hostname, { family, hints, all }, callback) => {
    const lookupOptions = {
      all: true as const,
      ...(typeof family === 'number' && { family }),
      ...(hints !== undefined && { hints }),
    };
    lookUp(hostname, lookupOptions, (error, addresses = []) => {
      const [first] = addresses;
      if (error !== null || first === undefined) return callback(error ?? hostNotFoundError(hostname), '', 0);
      if (!addresses.every(({ address }) => rule.allows(address)))
        return callback(rule.refusal(hostname), '', 0);
      if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function hostNotFoundError(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
