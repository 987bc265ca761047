import { secretsOfUrl } from '@mcpmux/kit';
import { secretsOf } from '../../process/environment.js';
import { isRemote, isStreams, isUnusable, type AnyServerConfig } from './server-config.js';

/** Returns the secret values of a configuration, which mcpmux must not show. */
export function secretsOfConfig(config: AnyServerConfig): readonly string[] {
  if (isStreams(config) || isUnusable(config)) return [];
  if (!isRemote(config)) return secretsOf(config.env ?? {});
  const values = Object.values(config.headers ?? {});
  // In `Bearer ...` and `Basic ...`, the secret is the part after the scheme.
  const bare = values.flatMap((value) => value.split(/\s+/).slice(1));
  const ofUrl = URL.canParse(config.url) ? secretsOfUrl(new URL(config.url)) : [];
  const { clientSecret, privateKey, identity } = config.clientCredentials ?? {};
  const ofClient = [clientSecret, privateKey, identity?.clientSecret, identity?.idToken];
  return [...values, ...bare, ...ofUrl, ...ofClient.filter((secret) => secret !== undefined)];
}
