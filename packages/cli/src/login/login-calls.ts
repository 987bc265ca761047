import { randomUUID } from 'node:crypto';

import { isObject } from '@mcpmux/clients';
import { type Guard, type GuardAnswer, type GuardContext, resultAnswer } from '@mcpmux/core';

import type { LoginDesk, LoginPage, LoginNeed, ActiveLogin } from './login-desk.js';

/** How long a call waits for a login, in milliseconds. Many clients cancel calls that take longer. */
const LOGIN_WAIT_MS = 60_000;

const OWN_SERVER_NAME = 'mcpmux';

/** The outcome of a login request. `open` means that the user agreed to open the page but has not logged in yet. */
type LoginOutcome = 'logged-in' | 'open' | 'none';

/**
 * Returns a guard's handler that offers the login page to the client if a call's server needs a login. After the login,
 * the handler forwards the call. If the call has already failed, the handler asks the client to repeat it.
 */
export function loginHandler(desk: LoginDesk): NonNullable<Guard['handle']> {
  return async (context, next) => {
    const server = serverOf(context);
    if (server === undefined) return next();
    const previousNeed = desk.needOf(server);
    if (previousNeed !== undefined && desk.hasCrashed(server) && !(await desk.isNeedMet(previousNeed))) {
      if ((await requestLogin(desk, previousNeed, context)) === 'open') return loginPendingAnswer(server);
      return next();
    }
    const answer = await next();
    const need = desk.needOf(server);
    if (need === undefined) return answer;
    if (need === previousNeed && !hasFailed(answer)) desk.removeNeed(server);
    if (need === previousNeed || !hasFailed(answer)) return answer;
    const outcome = await requestLogin(desk, need, context);
    if (outcome === 'none') return answer;
    return outcome === 'open' ? loginPendingAnswer(server) : loginDoneAnswer(server);
  };
}

/** Returns the server whose tool is called or, for `reload_server`, the server to reload. */
function serverOf({ server, tool, params }: GuardContext): string | undefined {
  if (server !== OWN_SERVER_NAME) return server;
  const args = tool === 'reload_server' ? params['arguments'] : undefined;
  const name = isObject(args) ? args['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

async function requestLogin(desk: LoginDesk, need: LoginNeed, context: GuardContext): Promise<LoginOutcome> {
  const { session, server } = context;
  // After the user has declined, only a call to `reload_server` offers the page again in this session.
  if (server !== OWN_SERVER_NAME && need.declinedSessions.has(session)) return 'none';
  const login = desk.startLogin(need);
  try {
    if (!(await offerLoginPage(need, login, context))) return 'none';
    return (await waitForLogin(login)) ? 'logged-in' : 'open';
  } catch {
    // The desk has already logged why the login failed.
    return 'none';
  }
}

/** Resolves to true when the login succeeds, or to false after LOGIN_WAIT_MS. Rejects if the login fails. */
async function waitForLogin({ ended }: ActiveLogin): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, LOGIN_WAIT_MS, false)));
  try {
    return await Promise.race([ended.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to true if the user agrees to open the login page. Rejects if the login fails before its page is known. */
async function offerLoginPage(
  { login: { server }, declinedSessions }: LoginNeed,
  login: ActiveLogin,
  context: GuardContext,
): Promise<boolean> {
  const { session, signal, user, era } = context;
  const page = await login.page;
  const elicitationId = randomUUID();
  const abortController = new AbortController();
  login.ended.then(
    () => user.urlVisited(elicitationId),
    () => abortController.abort(),
  );
  const elicitation = { mode: 'url', message: elicitationMessage(server, page), url: page.url.href };
  const elicitParams = era === 'legacy' ? { ...elicitation, elicitationId } : elicitation;
  const answer = await user.elicit(elicitParams, AbortSignal.any([signal, abortController.signal]));
  if ('problem' in answer) return false;
  const { action } = answer.result;
  if (action === 'decline') declinedSessions.add(session);
  return action === 'accept';
}

function elicitationMessage(server: string, { code }: LoginPage): string {
  const quotedServer = JSON.stringify(server);
  const codeText = code === undefined ? '' : ` The page shows or asks for the code ${code}.`;
  return `mcpmux: the MCP server ${quotedServer} needs you to log in.${codeText} All clients of this mcpmux use the login.`;
}

function hasFailed({ kind, isToolError }: GuardAnswer): boolean {
  return kind === 'error' || isToolError;
}

function loginPendingAnswer(server: string): GuardAnswer {
  return toolErrorAnswer(
    `Server ${JSON.stringify(server)} needs a login, and the user has the login page open. ` +
      'Call again when the user has logged in.',
  );
}

function loginDoneAnswer(server: string): GuardAnswer {
  return toolErrorAnswer(
    `Server ${JSON.stringify(server)} needed a login. The user has logged in since. Call again.`,
  );
}

function toolErrorAnswer(text: string): GuardAnswer {
  return resultAnswer({ content: [{ type: 'text', text }], isError: true }, true);
}
