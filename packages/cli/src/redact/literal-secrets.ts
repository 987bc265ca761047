import { isObject, isPlaceholder, type JsonObject } from '@mcpmux/clients';
import { isSecretName, maskArgs } from '@mcpmux/core';

/** Returns the names of variables, headers and client credentials whose values look like plain-text secrets. */
export function literalSecretNames({ env, headers, mux }: JsonObject): readonly string[] {
  const credentials = isObject(mux) ? mux['clientCredentials'] : undefined;
  const identity = isObject(credentials) ? credentials['identity'] : undefined;
  const parts = [env, headers, credentials, identity].filter(isObject);
  const values = parts.flatMap((part) => Object.entries(part));
  return values.flatMap(([name, value]) =>
    typeof value === 'string' && isLikelySecret(name, value) ? [name] : [],
  );
}

/** Returns the values of an entry's variables and headers that do not look like plain-text secrets. */
export function nonSecretValues({ env, headers }: JsonObject): readonly string[] {
  const values = [env, headers].filter(isObject).flatMap((part) => Object.entries(part));
  return values.flatMap(([name, value]) =>
    typeof value === 'string' && !isLikelySecret(name, value) ? [value] : [],
  );
}

function isLikelySecret(name: string, value: string): boolean {
  if (value === '' || value.includes('${') || isPlaceholder(value)) return false;
  return isSecretName(name) || /^authorization$/i.test(name) || maskArgs([value]).secrets.length > 0;
}

/** If a server's config entry has plain-text secrets, returns a warning with the steps to move them to the keyring. */
export function secretsWarning(server: string, entry: JsonObject): string | undefined {
  const names = literalSecretNames(entry);
  const [first] = names;
  if (first === undefined) return undefined;
  const secret = first.replaceAll(/[^\w.-]/g, '_');
  return (
    `${server} has a secret in clear in the config: ${names.join(', ')}. ` +
    `Next: mcpmux secret set ${secret}, and write \${secret:${secret}} in its place`
  );
}
