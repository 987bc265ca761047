import { secretsOfUrl } from '@mcpmux/kit';
import { secretValuesOf } from '../../process/environment.js';
import { isRemote, isStreams, isUnusable, type AnyServerConfig } from './server-config.js';

/** Returns a copy of the configuration in which each placeholder is replaced with its command's output. */
export function withCommandOutputs(
  config: AnyServerConfig,
  outputsByPlaceholder: ReadonlyMap<string, string>,
): AnyServerConfig {
  const text = (one: string): string => replaceTexts(one, [...outputsByPlaceholder]);
  const texts = <Texts extends object>(all: Texts): Texts =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys, with values of the same types
    Object.fromEntries(
      Object.entries(all).map(([key, one]: [string, unknown]) => [
        key,
        typeof one === 'string' ? text(one) : one,
      ]),
    ) as Texts;
  const commands = undefined;
  if (isStreams(config) || isUnusable(config)) return { ...config, commands };
  if (!isRemote(config))
    return { ...config, commands, args: config.args?.map(text) ?? [], env: texts(config.env ?? {}) };
  const { clientCredentials: client, headers = {} } = config;
  const { identity, ...own } = client ?? {};
  const credentials = client && {
    clientCredentials: { ...client, ...texts(own), ...(identity && { identity: texts(identity) }) },
  };
  return { ...config, commands, url: text(config.url), headers: texts(headers), ...credentials };
}

/** Replaces the first string of each pair with the second. Does not search the inserted strings. */
function replaceTexts(text: string, [first, ...others]: readonly (readonly [string, string])[]): string {
  if (first === undefined) return text;
  const [from, value] = first;
  return text
    .split(from)
    .map((part) => replaceTexts(part, others))
    .join(value);
}

/** Returns a configuration's secret values, which mcpmux must not reveal. */
export function configSecrets(config: AnyServerConfig): readonly string[] {
  if (isStreams(config) || isUnusable(config)) return [];
  if (!isRemote(config)) return secretValuesOf(config.env ?? {});
  const values = Object.values(config.headers ?? {});
  // In `Bearer ...` and `Basic ...`, the secret is the part after the scheme.
  const bare = values.flatMap((value) => value.split(/\s+/).slice(1));
  const ofUrl = URL.canParse(config.url) ? secretsOfUrl(new URL(config.url)) : [];
  const { clientSecret, privateKey, identity } = config.clientCredentials ?? {};
  const ofClient = [clientSecret, privateKey, identity?.clientSecret, identity?.idToken];
  return [...values, ...bare, ...ofUrl, ...ofClient.filter((secret) => secret !== undefined)];
}
