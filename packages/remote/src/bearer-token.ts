import { RemoteError } from './remote-error.js';

/** A token type that an error message may quote. */
const PLAIN = /^[\w.-]{1,40}$/;

/** The token has a type that mcpmux cannot use. */
export class TokenTypeError extends RemoteError {}

/**
 * Checks that a token is a bearer token, because mcpmux sends tokens unchanged. Other types need a proof with each
 * request.
 *
 * @throws TokenTypeError for a token of any other type
 */
export function requireBearer({ token_type: type }: { readonly token_type: string }): void {
  if (type.toLowerCase() === 'bearer') return;
  const named = PLAIN.test(type) ? `the type ${JSON.stringify(type)}` : 'another type';
  throw new TokenTypeError(
    `the authorization server gave a token of ${named}, and mcpmux can use bearer tokens only`,
  );
}
