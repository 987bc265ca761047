import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { isPublicAddress } from './public-address.js';
import { RemoteError } from './remote-error.js';

/** Finds every address of a name. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true; readonly family?: number; readonly hints?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses?: readonly LookupAddress[]) => void,
) => void;

const ADVICE =
  'mcpmux sent nothing. Tell the user why you need this server; the user can add it to the config of mcpmux.';

/** Decides over the addresses of a host name before a connection is made to them. */
export interface AddressRule {
  allows(address: string): boolean;
  /** Why there is no connection to this host. */
  refusal(hostname: string): Error;
}

/** Names that a user has accepted lead to the public internet. */
const PUBLIC_ONLY: AddressRule = {
  allows: isPublicAddress,
  refusal: (hostname) =>
    new RemoteError(`${hostname} resolves to an address of this machine or a private network`, ADVICE),
};

/**
 * Looks a host name up for a connection, which is made to the addresses that were looked at: a name that leads to this
 * machine or to a network around it, if only now and then, is refused.
 */
export function publicLookup(lookUp: LookupAll = lookup): LookupFunction {
  return ruledLookup(PUBLIC_ONLY, lookUp);
}

/** Looks a host name up for a connection, which is made only if the rule allows every address of the host. */
export function ruledLookup(rule: AddressRule, lookUp: LookupAll = lookup): LookupFunction {
  return (hostname, { family, hints, all }, callback) => {
    const wanted = {
      all: true as const,
      ...(typeof family === 'number' && { family }),
      ...(hints !== undefined && { hints }),
    };
    lookUp(hostname, wanted, (error, addresses = []) => {
      const [first] = addresses;
      if (error !== null || first === undefined) return callback(error ?? notFound(hostname), '', 0);
      if (!addresses.every(({ address }) => rule.allows(address)))
        return callback(rule.refusal(hostname), '', 0);
      if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
