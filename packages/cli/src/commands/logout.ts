import { ExitCode } from '../base/exit-code.js';
import { LoginFiles } from '../login/login-files.js';
import { printResult, tell, type Action } from '../terminal/command-context.js';
import type { ConfigFlags } from './config-choice.js';
import { loginServer } from './login-server.js';

/** Forgets the login of a person to a server at a url. */
export const logout: Action<ConfigFlags, number> = (context, [name = ''], flags) => {
  const { url } = loginServer(context, name, flags, 'log out of');
  const isForgotten = new LoginFiles(context).forget(url);
  tell(
    context,
    isForgotten
      ? `Forgot the login to ${name}. The server is not told: end the access of mcpmux there, too, if need be.`
      : `Nobody was logged in to ${name}.`,
  );
  if (context.flags.json === true) printResult(context, { name, forgotten: isForgotten }, '');
  return ExitCode.Ok;
};
