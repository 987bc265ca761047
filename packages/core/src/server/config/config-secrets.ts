import { secretsOfUrl } from '@mcpmux/kit';
import { secretsOf } from '../../process/environment.js';
import { isRemote, isStreams, isUnusable, type AnyServerConfig } from './server-config.js';

/** The values of a configuration that nobody should read in what mcpmux shows. */
export function secretsOfConfig(config: AnyServerConfig): readonly string[] {
  if (isStreams(config) || isUnusable(config)) return [];
  if (!isRemote(config)) return secretsOf(config.env ?? {});
  const values = Object.values(config.headers ?? {});
  // `Bearer ...` and `Basic ...`: what comes after the scheme is the secret.
  const bare = values.flatMap((value) => value.split(/\s+/).slice(1));
  const ofUrl = URL.canParse(config.url) ? secretsOfUrl(new URL(config.url)) : [];
  const ofClient = config.clientCredentials === undefined ? [] : [config.clientCredentials.clientSecret];
  return [...values, ...bare, ...ofUrl, ...ofClient];
}
