import { maskArgs } from '@mcpmux/core';

import { isObject, type JsonObject } from './json-object.js';

const PLACEHOLDER = /^(?:(?:Bearer|Basic|token) )?\$\{(?:env:|file:)?[^}:]+\}$/;

const URL_KEYS = ['url', 'serverUrl', 'httpUrl', 'baseUrl'];

/**
 * A server of a config without secrets: the values of variables and headers, unless they only name a variable, what looks
 * like one in arguments, what a url holds, and what only the client that it came from knows.
 */
export function maskedEntry(entry: JsonObject): JsonObject {
  const { env, headers, args, mux } = entry;
  const urls = URL_KEYS.filter((key) => typeof entry[key] === 'string');
  return {
    ...entry,
    ...(isObject(env) && { env: maskedValues(env) }),
    ...(isObject(headers) && { headers: maskedValues(headers) }),
    ...(Array.isArray(args) && { args: maskArgs(args.map(String)).args }),
    ...Object.fromEntries(urls.map((key) => [key, maskedUrl(String(entry[key]))])),
    ...(isObject(mux) && { mux: maskedSettings(mux) }),
  };
}

function maskedSettings(mux: JsonObject): JsonObject {
  const { imported, clientCredentials: client } = mux;
  return {
    ...mux,
    ...(isObject(client) && { clientCredentials: maskedValues(client) }),
    ...(isObject(imported) && { imported: { ...imported, keys: '***' } }),
  };
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
