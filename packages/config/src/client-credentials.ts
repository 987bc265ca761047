import type { ClientCredentials, IdentityProvider } from '@mcpmux/core';

import type { SettingPath } from './config-text.js';

/** Replaces the placeholders in one text of a config. */
interface TextExpansion {
  text(path: SettingPath, value: string): string;
}

/** Replaces the placeholders in the credentials of a server at a URL. */
export function clientCredentials(
  path: SettingPath,
  { issuer, clientId, clientSecret, privateKey, algorithm, identity, scope }: ClientSettings,
  expansion: TextExpansion,
): ClientCredentials {
  const text = (key: string, value: string): string => expansion.text([...path, key], value);
  return {
    issuer: text('issuer', issuer),
    clientId: text('clientId', clientId),
    ...(clientSecret !== undefined && { clientSecret: text('clientSecret', clientSecret) }),
    ...(privateKey !== undefined && { privateKey: text('privateKey', privateKey) }),
    ...(algorithm !== undefined && { algorithm: text('algorithm', algorithm) }),
    ...(identity && { identity: identityProvider([...path, 'identity'], identity, expansion) }),
    ...(scope !== undefined && { scope: text('scope', scope) }),
  };
}

function identityProvider(
  path: SettingPath,
  { issuer, clientId, clientSecret, idToken }: IdentityProvider,
  expansion: TextExpansion,
): IdentityProvider {
  const text = (key: string, value: string): string => expansion.text([...path, key], value);
  return {
    issuer: text('issuer', issuer),
    clientId: text('clientId', clientId),
    ...(clientSecret !== undefined && { clientSecret: text('clientSecret', clientSecret) }),
    idToken: text('idToken', idToken),
  };
}

/** The credentials in a config, whose placeholders are not replaced yet. */
type ClientSettings = {
  readonly [Key in keyof ClientCredentials]: ClientCredentials[Key] | undefined;
} & Pick<ClientCredentials, 'issuer' | 'clientId'>;
