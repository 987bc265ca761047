import { RemoteError } from './remote-error.js';

/** Matches token types that are safe to quote in an error message. */
const QUOTABLE_TYPE = /^[\w.-]{1,40}$/;

/** Thrown for a token of an unsupported type. */
export class TokenTypeError extends RemoteError {}

/**
 * Checks that a token is a bearer token, which mcpmux sends unchanged. Other types require a proof with each request.
 *
 * @throws TokenTypeError for a token of any other type
 */
export function requireBearer({ token_type: type }: { readonly token_type: string }): void {
  if (type.toLowerCase() === 'bearer') return;
  const quotedType = QUOTABLE_TYPE.test(type) ? `the type ${JSON.stringify(type)}` : 'another type';
  throw new TokenTypeError(
    `the authorization server gave a token of ${quotedType}, and mcpmux can use bearer tokens only`,
  );
}
