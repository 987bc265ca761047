import { isObject, type JsonObject } from './json-object.js';

/** Keys of objects whose values may be secrets, in the formats of all clients. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'env',
  'envs',
  'environment',
  'headers',
  'http_headers',
  'clientCredentials',
]);
const PLACEHOLDER = /^(?:(?:Bearer|Basic|token) )?\$\{(?:env:|file:)?[^}:]+\}$/;

/** A server of a config without the values of variables and headers, unless they only name a variable. */
export function maskedEntry(entry: JsonObject): JsonObject {
  const { env, headers, url, mux } = entry;
  return {
    ...entry,
    ...(isObject(env) && { env: maskedValues(env) }),
    ...(isObject(headers) && { headers: maskedValues(headers) }),
    ...(isObject(mux) && { mux: maskedMux(mux) }),
    ...(typeof url === 'string' && { url: maskedUrl(url) }),
  };
}

/** Every value of a document that is not to be shown. */
export function secretValues(document: unknown): readonly string[] {
  if (Array.isArray(document)) return document.flatMap(secretValues);
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([key, value]) =>
    SECRET_KEYS.has(key) && isObject(value)
      ? Object.values(value)
          .filter((text) => typeof text === 'string' && isSecret(text))
          .map(String)
      : secretValues(value),
  );
}

/** A line of JSON, TOML or YAML without these values. */
export function maskedLine(line: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => {
    const quoted = JSON.stringify(secret);
    const bare = masked.endsWith(`: ${secret}`) ? `${masked.slice(0, -secret.length)}***` : masked;
    return bare.replaceAll(quoted, '"***"').replaceAll(`'${secret}'`, "'***'");
  }, line);
}

function maskedMux(mux: JsonObject): JsonObject {
  const { clientCredentials: client } = mux;
  return isObject(client) ? { ...mux, clientCredentials: maskedValues(client) } : mux;
}

function maskedValues(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSecret(String(value)) ? '***' : value]),
  );
}

function isSecret(text: string): boolean {
  return text !== '' && !PLACEHOLDER.test(text);
}

function maskedUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//***@').replace(/([?&][^=&#]+=)[^&#]*/g, '$1***');
}
