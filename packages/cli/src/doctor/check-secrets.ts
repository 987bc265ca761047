import { isObject, type JsonObject } from '@mcpmux/clients';

import { ok, warning, type Finding } from './finding.js';

const OTHER_USERS_MASK = 0o077;

/** A config's path, permissions and server entries. */
export interface SecretCheck {
  readonly file: string;
  /** The file's permission bits. Undefined on Windows. */
  readonly mode: number | undefined;
  /** The config's server entries, as written in the file. */
  readonly entries: readonly JsonObject[];
  /** The servers whose entries probably contain plain-text secrets, with the names of the variables and headers. */
  readonly plainTextSecrets?: readonly (readonly [server: string, names: readonly string[]])[];
}

/** Warns if other users can read values in the config, or else if the config probably contains plain-text secrets. */
export function checkSecrets({ file, mode, entries, plainTextSecrets = [] }: SecretCheck): Finding {
  const isOpen = mode !== undefined && (mode & OTHER_USERS_MASK) !== 0;
  if (!isOpen && plainTextSecrets.length > 0) {
    const locations = plainTextSecrets.map(([server, names]) => `${server} (${names.join(', ')})`).join(', ');
    return warning(
      'secrets',
      `in clear in ${file}: ${locations}`,
      'mcpmux secret set NAME, and write ${secret:NAME} in their place',
    );
  }
  if (!isOpen || !entries.some(hasLiteralValues)) {
    const storage = 'in the environment and in files that only you can read';
    const usesKeyring = entries.some((entry) => JSON.stringify(entry).includes('${secret:'));
    return ok('secrets', usesKeyring ? `${storage}, and in the keyring` : `${storage}; no keyring is used`);
  }
  return warning(
    'secrets',
    `${file} holds values of variables or headers, and other users can read it`,
    `chmod 600 ${file}, or keep them in the keyring: mcpmux secret set NAME`,
  );
}

/** True if the value of a variable or header contains no placeholder. */
function hasLiteralValues({ env, headers }: JsonObject): boolean {
  return [env, headers].some(
    (values) => isObject(values) && Object.values(values).some((value) => !String(value).includes('${')),
  );
}
