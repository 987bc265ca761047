import { isObject, type JsonObject } from '@mcpmux/clients';

import { ok, warning, type Finding } from './finding.js';

const OTHERS = 0o077;

/** What is looked at: the config, and who may read it. */
export interface SecretCheck {
  readonly file: string;
  /** Its permissions; undefined where a system has none of that kind. */
  readonly mode: number | undefined;
  /** The servers of the config, as written. */
  readonly entries: readonly JsonObject[];
}

/** Where secrets are, and whether others can read them. mcpmux uses no keyring: they stand in the environment or in files. */
export function checkSecrets({ file, mode, entries }: SecretCheck): Finding {
  const isOpen = mode !== undefined && (mode & OTHERS) !== 0;
  if (!isOpen || !entries.some(holdsValues)) {
    return ok('secrets', 'in the environment and in files that are yours alone; no keyring is used');
  }
  return warning(
    'secrets',
    `${file} holds values of variables or headers, and others can read it`,
    `chmod 600 ${file}, or write \${NAME} for the values and set NAME in the environment`,
  );
}

/** Values that are written out, not taken from elsewhere. */
function holdsValues({ env, headers }: JsonObject): boolean {
  return [env, headers].some(
    (values) => isObject(values) && Object.values(values).some((value) => !String(value).includes('${')),
  );
}
