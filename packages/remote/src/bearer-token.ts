import { RemoteError } from './remote-error.js';

/** A type that an error may quote. */
const PLAIN = /^[\w.-]{1,40}$/;

/**
 * Checks that a token is a bearer token: mcpmux sends tokens as they are. Other types need a proof with each request.
 *
 * @throws RemoteError for a token of any other type
 */
export function requireBearer({ token_type: type }: { readonly token_type: string }): void {
  if (type.toLowerCase() === 'bearer') return;
  const named = PLAIN.test(type) ? `the type ${JSON.stringify(type)}` : 'another type';
  throw new RemoteError(
    `the authorization server gave a token of ${named}, and mcpmux can use bearer tokens only`,
  );
}
