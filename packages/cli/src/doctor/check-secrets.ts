import { isObject, type JsonObject } from '@mcpmux/clients';

import { ok, warning, type Finding } from './finding.js';

const OTHERS = 0o077;

/** The config, and its permissions. */
export interface SecretCheck {
  readonly file: string;
  /** The permissions; undefined on Windows. */
  readonly mode: number | undefined;
  /** The servers of the config, as written. */
  readonly entries: readonly JsonObject[];
  /** The servers that probably contain secrets in plain text, with the names of the variables and headers. */
  readonly literal?: readonly (readonly [server: string, names: readonly string[]])[];
}

/** Checks whether other users can read secrets in the config. */
export function checkSecrets({ file, mode, entries, literal = [] }: SecretCheck): Finding {
  const isOpen = mode !== undefined && (mode & OTHERS) !== 0;
  if (!isOpen && literal.length > 0) {
    const where = literal.map(([server, names]) => `${server} (${names.join(', ')})`).join(', ');
    return warning(
      'secrets',
      `in clear in ${file}: ${where}`,
      'mcpmux secret set NAME, and write ${secret:NAME} in their place',
    );
  }
  if (!isOpen || !entries.some(holdsValues)) {
    const places = 'in the environment and in files that only you can read';
    const isKept = entries.some((entry) => JSON.stringify(entry).includes('${secret:'));
    return ok('secrets', isKept ? `${places}, and in the keyring` : `${places}; no keyring is used`);
  }
  return warning(
    'secrets',
    `${file} holds values of variables or headers, and other users can read it`,
    `chmod 600 ${file}, or keep them in the keyring: mcpmux secret set NAME`,
  );
}

/** True if values are literal, without a placeholder. */
function holdsValues({ env, headers }: JsonObject): boolean {
  return [env, headers].some(
    (values) => isObject(values) && Object.values(values).some((value) => !String(value).includes('${')),
  );
}
