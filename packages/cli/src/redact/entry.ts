import { MUX_KEYS } from '@mcpmux/config';
import { isObject, isPlaceholder, type JsonObject } from '@mcpmux/clients';
import { maskArgs } from '@mcpmux/core';

const MASK = '***';
const URL_KEYS: ReadonlySet<string> = new Set(['url', 'serverUrl', 'httpUrl', 'baseUrl']);
/** Settings whose values may be displayed, because they are never secret. */
const VISIBLE_KEYS: ReadonlySet<string> = new Set(
  [
    ['command', 'type', 'cwd', 'envFile', 'disabled', 'enabled', 'name', 'description'],
    ['includeTools', 'enabledTools', 'tools', 'excludeTools', 'disabledTools'],
    ['alwaysAllow', 'alwaysLoad', 'autoApprove', 'sandboxEnabled', 'timeout', 'trust', 'watchPaths'],
  ].flat(),
);
const VISIBLE_MUX_KEYS: ReadonlySet<string> = new Set(
  MUX_KEYS.filter((key) => key !== 'imported' && key !== 'clientCredentials'),
);

/** Matches a placeholder for the output of a command (`${cmd:…}`), also after an auth scheme such as `Bearer`. */
const COMMAND_PLACEHOLDER = /^(?:(?:Bearer|Basic|token) )?\$\{cmd:[^}]*\}$/;

/**
 * Returns a server entry without secrets. Masks secrets in arguments and URLs, and the values of all settings that may
 * contain secrets, such as variables and headers, except placeholders.
 */
export function redactEntry(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, maskedSetting(key, value)]));
}

function maskedSetting(key: string, value: unknown): unknown {
  if (key === 'args' && Array.isArray(value)) return maskArgs(value.map(String)).args;
  if (key === 'mux' && isObject(value)) return maskedMuxSettings(value);
  if (key === 'sandbox') return value;
  if (URL_KEYS.has(key) && typeof value === 'string') return maskedUrl(value);
  return VISIBLE_KEYS.has(key) && !isObject(value) ? value : maskedValue(value);
}

function maskedMuxSettings(mux: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(mux).map(([key, value]) => {
      if (VISIBLE_MUX_KEYS.has(key)) return [key, value];
      const isImported = key === 'imported' && isObject(value);
      return [key, isImported ? { ...value, keys: MASK } : maskedValue(value)];
    }),
  );
}

/** Masks strings and numbers, except placeholders. Keys remain visible. */
function maskedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedValue);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedValue(item)]));
  if (typeof value === 'number') return MASK;
  if (typeof value === 'string' && COMMAND_PLACEHOLDER.test(value)) return maskArgs([value]).args.join('');
  return typeof value !== 'string' || value === '' || isPlaceholder(value) ? value : MASK;
}

function maskedUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//***@').replace(/([?&][^=&#]+=)[^&#]*/g, '$1***');
}
