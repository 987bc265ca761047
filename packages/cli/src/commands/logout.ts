import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import type { ClusterFlags } from '../cluster/cluster-options.js';
import { SavedLogin } from './command-logins.js';
import type { ConfigFlags } from '../config/config-choice.js';
import { findServerForLogin } from './login-server.js';

/** Deletes the saved login to a remote server. */
export const logout: Action<ConfigFlags & ClusterFlags> = async (context, [name = ''], flags) => {
  const { url, config } = findServerForLogin(context, name, flags, 'log out of');
  const isForgotten = await new SavedLogin(context, { name, url, config }, flags).forget();
  printNote(
    context,
    isForgotten
      ? `Deleted the login to ${name}. The server still accepts it: to end the access of mcpmux, revoke it there.`
      : `There was no login to ${name}.`,
  );
  printResult(context, { name, forgotten: isForgotten });
  return ExitCode.Ok;
};
