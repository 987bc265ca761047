import { createPrivateKey, type KeyObject } from 'node:crypto';

import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isRecord } from '@mcpmux/kit';

import { requireBearer } from './bearer-token.js';
import type { Fetch } from './fetch.js';
import { normalizeIssuer } from './issuer.js';
import type { ClientCredentials, IdentityProvider } from './remote-endpoint.js';
import { RemoteError } from './remote-error.js';

/** A provider whose tokens are available synchronously. */
export interface CredentialsProvider extends OAuthClientProvider {
  tokens(): StoredOAuthTokens | undefined;
}

/** The signature algorithm for each elliptic curve. */
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/**
 * Creates the SDK's provider for these credentials. It accepts only bearer tokens.
 *
 * @throws RemoteError for an unusable private key; its message contains no part of the key
 */
export function createCredentialsProvider(credentials: ClientCredentials, fetch: Fetch): CredentialsProvider {
  const provider = createSdkProvider(credentials, fetch);
  const save = provider.saveTokens.bind(provider);
  provider.saveTokens = (tokens) => {
    requireBearer(tokens);
    return save(tokens);
  };
  return provider;
}

function createSdkProvider(
  { issuer, clientId, clientSecret = '', privateKey, algorithm, identity, scope }: ClientCredentials,
  fetch: Fetch,
): CredentialsProvider {
  const clientName = 'mcpmux';
  // Checked at run time, because a host written in JavaScript may omit the issuer.
  const expectedIssuer = issuer && normalizeIssuer(issuer);
  if (privateKey !== undefined) {
    const key = readSigningKey(privateKey, algorithm);
    return new PrivateKeyJwtProvider({
      clientId,
      clientName,
      expectedIssuer,
      privateKey: key.privateKey,
      algorithm: key.algorithm,
      ...(scope !== undefined && { scope }),
    });
  }
  if (identity === undefined)
    return new ClientCredentialsProvider({
      clientId,
      clientName,
      expectedIssuer,
      clientSecret,
      ...(scope !== undefined && { scope }),
    });
  const assertion = createAssertion(identity, scope);
  return new CrossAppAccessProvider({
    clientId,
    clientName,
    expectedIssuer,
    clientSecret,
    assertion,
    fetchFn: fetch,
  });
}

/** Returns a function that exchanges the user's ID token for an authorization grant for one server (RFC 8693). */
function createAssertion(
  { issuer, clientId, clientSecret, idToken }: IdentityProvider,
  scope: string | undefined,
): ConstructorParameters<typeof CrossAppAccessProvider>[0]['assertion'] {
  return async ({ authorizationServerUrl, resourceUrl, scope: asked = scope, fetchFn }) => {
    const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
      idpUrl: normalizeIssuer(issuer),
      audience: authorizationServerUrl,
      resource: resourceUrl,
      idToken,
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      ...(asked !== undefined && { scope: asked }),
      fetchFn,
    });
    return jwtAuthGrant;
  };
}

/** Converts a private key to the form that the SDK requires, and determines its algorithm. */
function readSigningKey(
  text: string,
  algorithm?: string,
): { readonly privateKey: string; readonly algorithm: string } {
  const key = parseKey(text);
  const { namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const defaultAlgorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : CURVE_ALGORITHMS[namedCurve];
  const chosen = algorithm ?? defaultAlgorithm;
  if (chosen === undefined)
    throw new RemoteError(`mcpmux cannot sign with a private key of the kind ${key.asymmetricKeyType}`, KEYS);
  return { privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(), algorithm: chosen };
}

const KEYS = 'Use an RSA key, or a key of the curve P-256, P-384 or P-521.';

function parseKey(text: string): KeyObject {
  try {
    if (!text.trimStart().startsWith('{')) return createPrivateKey(text);
    const key: unknown = JSON.parse(text);
    return createPrivateKey({ key: isRecord(key) ? key : {}, format: 'jwk' });
  } catch {
    throw new RemoteError(
      'the private key of the client cannot be read',
      'It must be PEM, or a JWK as JSON.',
    );
  }
}
