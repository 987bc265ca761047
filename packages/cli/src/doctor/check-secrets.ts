import { isObject, type JsonObject } from '@mcpmux/clients';

import { ok, warning, type Finding } from './finding.js';

const OTHER_USERS_MODE = 0o077;

/** A config, its permissions, and its servers. */
export interface SecretCheck {
  readonly file: string;
  /** The permissions of the file. Undefined on Windows. */
  readonly mode: number | undefined;
  /** The servers of the config, as written. */
  readonly entries: readonly JsonObject[];
  /** The servers that probably contain secrets in plain text, with the names of the variables and headers. */
  readonly literal?: readonly (readonly [server: string, names: readonly string[]])[];
}

/** Checks whether the config contains secrets in plain text, and whether other users can read its values. */
export function checkSecrets({ file, mode, entries, literal = [] }: SecretCheck): Finding {
  const isOpen = mode !== undefined && (mode & OTHER_USERS_MODE) !== 0;
  if (!isOpen && literal.length > 0) {
    const where = literal.map(([server, names]) => `${server} (${names.join(', ')})`).join(', ');
    return warning(
      'secrets',
      `in clear in ${file}: ${where}`,
      'mcpmux secret set NAME, and write ${secret:NAME} in their place',
    );
  }
  if (!isOpen || !entries.some(hasLiteralValues)) {
    const places = 'in the environment and in files that only you can read';
    const usesKeyring = entries.some((entry) => JSON.stringify(entry).includes('${secret:'));
    return ok('secrets', usesKeyring ? `${places}, and in the keyring` : `${places}; no keyring is used`);
  }
  return warning(
    'secrets',
    `${file} holds values of variables or headers, and other users can read it`,
    `chmod 600 ${file}, or keep them in the keyring: mcpmux secret set NAME`,
  );
}

/** True if a variable or header has a literal value, without a placeholder. */
function hasLiteralValues({ env, headers }: JsonObject): boolean {
  return [env, headers].some(
    (values) => isObject(values) && Object.values(values).some((value) => !String(value).includes('${')),
  );
}
