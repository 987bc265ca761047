import { isObject, isPlaceholder, type JsonObject } from '@mcpmux/clients';
import { isSecretName, maskArgs } from '@mcpmux/core';

/** The names of variables and headers of an entry whose values are likely secrets in clear. */
export function literalSecrets({ env, headers }: JsonObject): readonly string[] {
  const values = [env, headers].filter(isObject).flatMap((part) => Object.entries(part));
  return values.flatMap(([name, value]) =>
    typeof value === 'string' && isLikelySecret(name, value) ? [name] : [],
  );
}

/** The values of variables and headers of an entry that are likely no secrets. */
export function openValues({ env, headers }: JsonObject): readonly string[] {
  const values = [env, headers].filter(isObject).flatMap((part) => Object.entries(part));
  return values.flatMap(([name, value]) =>
    typeof value === 'string' && !isLikelySecret(name, value) ? [value] : [],
  );
}

function isLikelySecret(name: string, value: string): boolean {
  if (value === '' || value.includes('${') || isPlaceholder(value)) return false;
  return isSecretName(name) || /^authorization$/i.test(name) || maskArgs([value]).secrets.length > 0;
}

/** Says of a server which secrets its entry holds in clear, and how the keyring holds them. */
export function secretsWarning(server: string, entry: JsonObject): string | undefined {
  const names = literalSecrets(entry);
  const [first] = names;
  if (first === undefined) return undefined;
  const secret = first.replaceAll(/[^\w.-]/g, '_');
  return (
    `${server} has a secret in clear in the config: ${names.join(', ')}. ` +
    `Next: mcpmux secret set ${secret}, and write \${secret:${secret}} in its place`
  );
}
