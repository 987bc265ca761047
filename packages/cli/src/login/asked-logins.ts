import { type Guard, LOCAL, type Logger, type LoginStore, type Mux } from '@mcpmux/core';

import type { LoginDesk } from './login-desk.js';

/** The mux whose clients are asked, and its log. */
export interface AskingHost {
  readonly mux: () => Mux;
  readonly logger: Logger;
}

interface Asking {
  readonly desk: LoginDesk;
  readonly handle: NonNullable<Guard['handle']>;
}

/**
 * Returns the logins of a mux whose clients get the login page of a server that needs a login (URL elicitation). Other
 * clients get the error of their call. The code is loaded for the first server that may use a login.
 *
 * Only clients of this user are asked, because all clients share the login.
 */
export function askedLogins(logins: LoginStore, { mux, logger }: AskingHost): LoginStore {
  let asking: Promise<Asking> | undefined;
  let desk: LoginDesk | undefined;
  const load = async (): Promise<Asking> => {
    const [{ LoginDesk }, { askInCalls }] = await Promise.all([
      import('./login-desk.js'),
      import('./login-calls.js'),
    ]);
    desk = new LoginDesk({ mux: mux(), logger, logins });
    return { desk, handle: askInCalls(desk) };
  };
  return {
    load: (url) => logins.load(url),
    save: (url, login) => logins.save(url, login),
    change: (url, edit) => logins.change(url, edit),
    used: () => {
      if (asking !== undefined) return;
      const loaded = (asking = load());
      mux().use({
        methods: ['tools/call'],
        // A call that another guard refuses opens no page. The guards of the config are added again at each change.
        isInnermost: true,
        handle: async (context, next) => {
          if (context.principal !== LOCAL || !context.user.takesUrls) return next();
          return (await loaded).handle(context, next);
        },
      });
    },
    needed: (login) => {
      if (desk === undefined) void asking?.then((loaded) => loaded.desk.note(login));
      else desk.note(login);
    },
  };
}
