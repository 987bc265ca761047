import { randomUUID } from 'node:crypto';

import { isObject } from '@mcpmux/clients';
import { type Guard, type GuardAnswer, type GuardContext, resultAnswer } from '@mcpmux/core';

import type { LoginDesk, LoginPage, Need, OpenLogin } from './login-desk.js';

/** The time that a call waits for its user to log in, in milliseconds. Clients end calls that take much longer. */
const WAIT_MS = 60_000;

const OWN_SERVER = 'mcpmux';

/** The outcome of a question to the user. `open`: the page was opened, and the user has not logged in yet. */
type Visit = 'logged-in' | 'open' | 'none';

/**
 * Returns a handler of calls that gives the client the login page of a server that needs a login, and passes the call on
 * after the login.
 */
export function askInCalls(desk: LoginDesk): NonNullable<Guard['handle']> {
  return async (context, next) => {
    const server = serverOf(context);
    if (server === undefined) return next();
    const before = desk.needOf(server);
    if (before !== undefined && desk.isDown(server) && !(await desk.isMet(before))) {
      if ((await visit(desk, before, context)) === 'open') return notYet(server);
      return next();
    }
    const answer = await next();
    const need = desk.needOf(server);
    if (need === undefined) return answer;
    if (need === before && !hasFailed(answer)) desk.forget(server);
    if (need === before || !hasFailed(answer)) return answer;
    const outcome = await visit(desk, need, context);
    if (outcome === 'none') return answer;
    return outcome === 'open' ? notYet(server) : loggedIn(server);
  };
}

/** Returns the server that a call needs: the server of the tool, or the server to reload. */
function serverOf({ server, tool, params }: GuardContext): string | undefined {
  if (server !== OWN_SERVER) return server;
  const args = tool === 'reload_server' ? params['arguments'] : undefined;
  const name = isObject(args) ? args['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

async function visit(desk: LoginDesk, need: Need, context: GuardContext): Promise<Visit> {
  const { session, server } = context;
  // A model that tries again must not make the client ask again. A request to reload the server may.
  if (server !== OWN_SERVER && need.declined.has(session)) return 'none';
  const login = desk.begin(need);
  try {
    if (!(await isOpened(need, login, context))) return 'none';
    return (await hasEnded(login)) ? 'logged-in' : 'open';
  } catch {
    // The desk has logged the problem.
    return 'none';
  }
}

/** Resolves with true if the login ends in time. Rejects if it cannot succeed. */
async function hasEnded({ ended }: OpenLogin): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, WAIT_MS, false)));
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with true if the client opens the login page. Rejects if there is no page, or no longer. */
async function isOpened(
  { login: { server }, declined }: Need,
  login: OpenLogin,
  context: GuardContext,
): Promise<boolean> {
  const { session, signal, user, era } = context;
  const page = await login.page;
  const elicitationId = randomUUID();
  const over = new AbortController();
  login.ended.then(
    () => user.urlVisited(elicitationId),
    () => over.abort(),
  );
  const question = { mode: 'url', message: messageOf(server, page), url: page.url.href };
  const asked = era === 'legacy' ? { ...question, elicitationId } : question;
  const answer = await user.elicit(asked, AbortSignal.any([signal, over.signal]));
  if ('problem' in answer) return false;
  const { action } = answer.result;
  if (action === 'decline') declined.add(session);
  return action === 'accept';
}

function messageOf(server: string, { code }: LoginPage): string {
  const shown = JSON.stringify(server);
  const codes = code === undefined ? '' : ` The page shows or asks for the code ${code}.`;
  return `mcpmux: the MCP server ${shown} needs you to log in.${codes} All clients of this mcpmux use the login.`;
}

function hasFailed({ kind, isToolError }: GuardAnswer): boolean {
  return kind === 'error' || isToolError;
}

function notYet(server: string): GuardAnswer {
  return toolError(
    `Server ${JSON.stringify(server)} needs a login, and the user has the login page open. ` +
      'Call again when the user has logged in.',
  );
}

function loggedIn(server: string): GuardAnswer {
  return toolError(
    `Server ${JSON.stringify(server)} needed a login. The user has logged in since. Call again.`,
  );
}

function toolError(text: string): GuardAnswer {
  return resultAnswer({ content: [{ type: 'text', text }], isError: true }, true);
}
