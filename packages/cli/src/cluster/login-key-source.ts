import { loginKeys, type LoginKeys } from '@mcpmux/cluster';

import { readFileText } from '../base/file-text.js';

/** The environment variable that holds the encryption keys for the shared logins. */
export const LOGIN_KEY_VARIABLE = 'MCPMUX_CLUSTER_KEY';

/**
 * Returns the encryption keys for the logins that nodes share, from the environment or from a file. Returns undefined
 * if neither is set.
 *
 * Removes the variable from the environment, so that no server inherits it.
 */
export function readLoginKeys(
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): LoginKeys | { readonly problem: string } | undefined {
  const variableValue = environment[LOGIN_KEY_VARIABLE] || undefined;
  delete environment[LOGIN_KEY_VARIABLE];
  if (variableValue === undefined && file === undefined) return undefined;
  const text = variableValue ?? readFileText(file ?? '');
  if (text === undefined)
    return { problem: `tokenKeyFile: the file ${file} cannot be read. Check the path.` };
  const keys = loginKeys(text);
  if (!('problem' in keys)) return keys;
  const source = variableValue === undefined ? `the file ${file} of tokenKeyFile` : LOGIN_KEY_VARIABLE;
  return { problem: `${source} cannot be used: ${keys.problem}. To make a key: openssl rand -base64 32` };
}
