import { ExitCode } from '../base/exit-code.js';
import { LoginFiles } from '../login/login-files.js';
import { printResult, tell, type Action } from '../terminal/command-context.js';
import type { ConfigFlags } from './config-choice.js';
import { loginServer } from './login-server.js';
import { writeFailed } from './write-failure.js';

/** Deletes the saved login to a server at a url. */
export const logout: Action<ConfigFlags> = async (context, [name = ''], flags) => {
  const { url } = loginServer(context, name, flags, 'log out of');
  const files = new LoginFiles(context);
  const isForgotten = await files.forget(url).catch((error: unknown) => {
    throw writeFailed(files.fileOf(url), error);
  });
  tell(
    context,
    isForgotten
      ? `Deleted the login to ${name}. The server still accepts it: to end the access of mcpmux, revoke it there.`
      : `There was no login to ${name}.`,
  );
  if (context.flags.json === true) printResult(context, { name, forgotten: isForgotten }, '');
  return ExitCode.Ok;
};
