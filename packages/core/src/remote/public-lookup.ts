import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { isPublicAddress } from './public-address.js';
import { RemoteError } from './remote-error.js';

/** Finds every address of a name. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const ADVICE =
  'mcpmux sent nothing. Tell the user why you need this server; the user can add it to the config of mcpmux.';

/**
 * Looks a host name up for a connection, which is made to the addresses that were looked at: a name that leads to this
 * machine or to a network around it, if only now and then, is refused.
 */
export function publicLookup(lookUp: LookupAll = lookup): LookupFunction {
  return (hostname, { family, all }, callback) => {
    const wanted = typeof family === 'number' ? { all: true as const, family } : { all: true as const };
    lookUp(hostname, wanted, (error, addresses) => {
      const [first] = addresses;
      if (error !== null || first === undefined) return callback(error ?? notFound(hostname), '', 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(refused(hostname), '', 0);
      if (all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(hostname: string): NodeJS.ErrnoException {
  return new RemoteError(`${hostname} resolves to an address of this machine or a private network`, ADVICE);
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
