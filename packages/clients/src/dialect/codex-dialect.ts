import type { Dialect } from './dialect.js';
import { defined, isObject, type JsonObject } from '../json/json-object.js';
import { storedKeys, withStoredKeys } from './stored-keys.js';
import { remoteKind, remoteUrl } from './remote-kind.js';

const CLIENT_ID = 'codex';
const VARIABLE_PLACEHOLDER = /^\$\{(?:env:)?([A-Za-z_]\w*)\}$/;
const BEARER_PLACEHOLDER = /^Bearer \$\{(?:env:)?([A-Za-z_]\w*)\}$/;

/** The Codex dialect. For a header whose value is a variable, Codex stores the variable's name, not a placeholder. */
export const codexDialect: Dialect = {
  toMux: (source) => {
    const { command, args, env, cwd, url, enabled, ...others } = source;
    const { bearer_token_env_var: bearer, http_headers: fixed, env_http_headers: named, ...more } = others;
    const { enabled_tools: includeTools, disabled_tools: excludeTools, ...rest } = more;
    if (typeof command !== 'string' && typeof url !== 'string') {
      return { kind: 'unusable', reason: 'the entry has neither a command nor a url' };
    }
    const headers = {
      ...(isObject(fixed) && fixed),
      ...(isObject(named) &&
        Object.fromEntries(
          Object.entries(named).map(([header, name]) => [header, placeholderFor(String(name))]),
        )),
      ...(typeof bearer === 'string' && { Authorization: `Bearer ${placeholderFor(bearer)}` }),
    };
    const hasHeaders = Object.keys(headers).length > 0;
    const entry = defined({
      command,
      args,
      env,
      cwd,
      url,
      headers: hasHeaders ? headers : undefined,
      enabled,
      includeTools,
      excludeTools,
    });
    return { kind: 'server', entry: withStoredKeys(entry, CLIENT_ID, rest) };
  },
  fromMux: (entry) => {
    const { command, args, env, cwd, headers, disabled, enabled, includeTools, excludeTools } = entry;
    const isEnabled = disabled === true ? false : enabled;
    const url = remoteUrl(entry);
    const notes = [
      ...(url !== undefined && remoteKind(entry) === 'sse'
        ? ['Codex supports Streamable HTTP only, not SSE']
        : []),
      ...(JSON.stringify([command, args, env, cwd]).includes('${')
        ? ['Codex does not replace ${...} in local servers: write the values, or use env_vars']
        : []),
    ];
    return {
      entry: defined({
        command,
        args,
        env,
        cwd,
        url,
        ...headerKeys(isObject(headers) ? headers : {}),
        enabled: isEnabled,
        enabled_tools: includeTools ?? entry['enabledTools'],
        disabled_tools: excludeTools ?? entry['disabledTools'],
        ...storedKeys(entry, CLIENT_ID),
      }),
      notes,
    };
  },
};

function headerKeys(headers: JsonObject): JsonObject {
  const fixed: Record<string, unknown> = {};
  const named: Record<string, string> = {};
  let bearer: string | undefined;
  for (const [header, value] of Object.entries(headers)) {
    const headerText = String(value);
    const bearerVariable = header === 'Authorization' ? BEARER_PLACEHOLDER.exec(headerText)?.[1] : undefined;
    const variable = VARIABLE_PLACEHOLDER.exec(headerText)?.[1];
    if (bearerVariable !== undefined) bearer = bearerVariable;
    else if (variable !== undefined) named[header] = variable;
    else fixed[header] = value;
  }
  return defined({
    bearer_token_env_var: bearer,
    http_headers: Object.keys(fixed).length === 0 ? undefined : fixed,
    env_http_headers: Object.keys(named).length === 0 ? undefined : named,
  });
}

/** Returns the placeholder for a variable, or '' for an invalid name: `file:PATH` would make mcpmux read a file. */
function placeholderFor(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `\${${name}}` : '';
}
