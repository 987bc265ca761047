import { BearerTokens } from '@mcpmux/http';

import { readFileText } from '../base/file-text.js';

/** The environment variable with the token for an HTTP front. */
export const TOKEN_VARIABLE = 'MCPMUX_HTTP_TOKEN';

/**
 * Returns the tokens that an HTTP front accepts, from a file with one token per line or from the environment. Returns
 * undefined if neither is set.
 *
 * Removes the variable from the environment, so that no server inherits it.
 */
export function readAcceptedTokens(
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): BearerTokens | { readonly problem: string } | undefined {
  const variableText = environment[TOKEN_VARIABLE];
  delete environment[TOKEN_VARIABLE];
  const source = file === undefined ? TOKEN_VARIABLE : `the file ${file}`;
  const text = file === undefined ? variableText : readFileText(file);
  if (text === undefined) {
    return file === undefined
      ? undefined
      : { problem: `the token file ${file} cannot be read. Check the path.` };
  }
  const tokens = BearerTokens.of(text.split(/\s+/).filter((token) => token !== ''));
  return 'problem' in tokens ? { problem: `${source} cannot be used: ${tokens.problem}.` } : tokens;
}
