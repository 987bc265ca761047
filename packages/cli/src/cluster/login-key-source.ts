import { loginKeys, type LoginKeys } from '@mcpmux/cluster';

import { fileText } from '../base/file-text.js';

/** The environment variable that holds the encryption keys for the shared logins. */
export const KEY_VARIABLE = 'MCPMUX_CLUSTER_KEY';

/**
 * Returns the encryption keys for the logins that nodes share, from the environment or from a file. Returns undefined
 * if neither is set.
 *
 * Removes the variable from the environment, so that no server inherits it.
 */
export function loginKeysOf(
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): LoginKeys | { readonly problem: string } | undefined {
  const variable = environment[KEY_VARIABLE] || undefined;
  delete environment[KEY_VARIABLE];
  if (variable === undefined && file === undefined) return undefined;
  const text = variable ?? fileText(file ?? '');
  if (text === undefined)
    return { problem: `tokenKeyFile: the file ${file} cannot be read. Check the path.` };
  const keys = loginKeys(text);
  if (!('problem' in keys)) return keys;
  const source = variable === undefined ? `the file ${file} of tokenKeyFile` : KEY_VARIABLE;
  return { problem: `${source} cannot be used: ${keys.problem}. To make a key: openssl rand -base64 32` };
}
