import { type Guard, LOCAL, type Logger, type LoginStore, type Mux } from '@mcpmux/core';

import type { LoginDesk } from './login-desk.js';

/** The mux whose clients receive login pages, and the logger for logins. */
export interface LoginPageHost {
  readonly mux: () => Mux;
  readonly logger: Logger;
}

interface LoadedDesk {
  readonly desk: LoginDesk;
  readonly handle: NonNullable<Guard['handle']>;
}

/**
 * Wraps a login store so that clients that support URL elicitation receive a server's login page. Other clients receive
 * the error of their call. The code for this is loaded when the first server with a login is registered.
 *
 * Only clients of this user receive the page, because a login by another user would apply to all clients.
 */
export function loginsWithElicitation(logins: LoginStore, { mux, logger }: LoginPageHost): LoginStore {
  let loadedDesk: Promise<LoadedDesk> | undefined;
  let desk: LoginDesk | undefined;
  const load = async (): Promise<LoadedDesk> => {
    const [{ LoginDesk }, { loginHandler: createLoginHandler }] = await Promise.all([
      import('./login-desk.js'),
      import('./login-calls.js'),
    ]);
    desk = new LoginDesk({ mux: mux(), logger, logins });
    return { desk, handle: createLoginHandler(desk) };
  };
  return {
    load: (url) => logins.load(url),
    save: (url, login) => logins.save(url, login),
    change: (url, edit) => logins.change(url, edit),
    used: () => {
      if (loadedDesk !== undefined) return;
      const newDesk = (loadedDesk = load());
      mux().use({
        methods: ['tools/call'],
        // As the innermost guard, this one offers no page for a call that another guard refuses, even one added later.
        isInnermost: true,
        handle: async (context, next) => {
          if (context.principal !== LOCAL || !context.user.takesUrls) return next();
          return (await newDesk).handle(context, next);
        },
      });
    },
    needed: (login) => {
      if (desk === undefined) void loadedDesk?.then((newDesk) => newDesk.desk.addNeed(login));
      else desk.addNeed(login);
    },
  };
}
