import type { ClientCredentials, IdentityProvider } from '@mcpmux/core';

import type { SettingPath } from './config-text.js';

/** Replaces the placeholders in one string of a config. */
interface TextExpansion {
  expandText(path: SettingPath, value: string): string;
}

/** Returns a remote server's OAuth client credentials with their placeholders replaced. */
export function clientCredentials(
  path: SettingPath,
  { issuer, clientId, clientSecret, privateKey, algorithm, identity, scope }: CredentialSettings,
  expansion: TextExpansion,
): ClientCredentials {
  const expandKey = (key: string, value: string): string => expansion.expandText([...path, key], value);
  return {
    issuer: expandKey('issuer', issuer),
    clientId: expandKey('clientId', clientId),
    ...(clientSecret !== undefined && { clientSecret: expandKey('clientSecret', clientSecret) }),
    ...(privateKey !== undefined && { privateKey: expandKey('privateKey', privateKey) }),
    ...(algorithm !== undefined && { algorithm: expandKey('algorithm', algorithm) }),
    ...(identity && { identity: identityProvider([...path, 'identity'], identity, expansion) }),
    ...(scope !== undefined && { scope: expandKey('scope', scope) }),
  };
}

function identityProvider(
  path: SettingPath,
  { issuer, clientId, clientSecret, idToken }: IdentityProvider,
  expansion: TextExpansion,
): IdentityProvider {
  const expandKey = (key: string, value: string): string => expansion.expandText([...path, key], value);
  return {
    issuer: expandKey('issuer', issuer),
    clientId: expandKey('clientId', clientId),
    ...(clientSecret !== undefined && { clientSecret: expandKey('clientSecret', clientSecret) }),
    idToken: expandKey('idToken', idToken),
  };
}

/** The credentials as written in the config, before their placeholders are replaced. */
type CredentialSettings = {
  readonly [Key in keyof ClientCredentials]: ClientCredentials[Key] | undefined;
} & Pick<ClientCredentials, 'issuer' | 'clientId'>;
