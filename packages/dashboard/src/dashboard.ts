import type { IncomingMessage, ServerResponse } from 'node:http';

import { messageOf } from '@mcpmux/core';
import type {
  About,
  CallsOf,
  ConfigEditor,
  DashboardParts,
  PageMux,
  ServerRegistry,
} from './api/dashboard-parts.js';
import type { ClusterView } from './data/cluster-view.js';
import { serveRoute } from './api/routes.js';
import { CallFeed } from './data/call-feed.js';
import type { CallRecord } from './data/call-record.js';
import { ProcessHealth } from './data/process-health.js';
import { ProcessUsage } from './data/process-usage.js';
import { answerJson, readBody, PageError, stringIn } from './entrance/answers.js';
import { OneTimeLinks, type PageRights } from './entrance/one-time-links.js';
import { setSecurityHeaders } from './entrance/page-headers.js';
import { cookieFor, refusalReason, secretsIn } from './entrance/page-request.js';
import { PageSessions } from './entrance/page-sessions.js';
import { endWhenStalled, DEFAULT_UNREAD_LIMITS, type UnreadLimits } from './entrance/unread-limits.js';
import { readPageFiles, type PageFile } from './page-files.js';

/** A page's options. */
export interface DashboardOptions {
  readonly about: About;
  /** Changes the config. If absent, the page can only change running servers. */
  readonly editor?: ConfigEditor | undefined;
  /** The registry that the page searches. If absent, the page has no registry search. */
  readonly registry?: ServerRegistry | undefined;
  /** The cluster to which the mux belongs. If absent, the page does not show a cluster. */
  readonly cluster?: ClusterView | undefined;
  /** Returns a summary of one server's calls. If absent, the page shows no summaries. */
  readonly callsOf?: CallsOf;
  /**
   * Returns the calls of the last hour, oldest first. Calls from earlier processes come first and have negative
   * numbers. If absent, the page lists only calls that begin after it has been opened.
   */
  readonly recentCalls?: () => readonly CallRecord[];
  /** The folder of the built page. Defaults to the one in this package. */
  readonly folder?: URL;
  /**
   * Describes an error of the mux, the editor or the registry to the page's user, for example with the next step.
   * Defaults to the error's message.
   */
  readonly problemOf?: (error: unknown) => string;
  /** Limits on a response's unread data. They default to the limits of an MCP front. */
  readonly unread?: Partial<UnreadLimits>;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** A mux's page: files at `/ui`, and data for browsers that have opened a one-time link. */
export interface Dashboard {
  readonly path: '/ui';
  /** Serves a request whose path begins with `path`. The caller must have checked the request's Host header. */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Returns a URL that opens the page once, within two minutes.
   *
   * @param origin the origin that serves the page, such as `http://127.0.0.1:8080`
   * @param used called when the link has been opened
   */
  link(origin: string, rights?: PageRights, used?: () => void): string;
}

const API_PREFIX = '/ui/api/';
const NO_SESSION_MESSAGE =
  'This mcpmux has no session of this browser: mcpmux was started again, the page was logged out, or nobody used it ' +
  'for 12 hours. Open the page with a new link: mcpmux ui';
const MANAGE_RIGHTS: PageRights = { mayManage: true };

/**
 * Creates a mux's page.
 *
 * @throws Error if the page has not been built
 */
export function createDashboard(mux: PageMux, options: DashboardOptions): Dashboard {
  const { about, editor, registry, cluster, now = Date.now, folder } = options;
  const { callsOf = () => undefined, problemOf = messageOf } = options;
  const files = readPageFiles(folder);
  // Approvals are watched, because the page shows the calls that are waiting for one.
  mux.approvals.watch(() => undefined);
  const parts: DashboardParts = {
    mux,
    about,
    editor,
    registry,
    cluster,
    callsOf,
    problemOf,
    callFeed: new CallFeed(mux, now, options.recentCalls),
    processUsage: new ProcessUsage(now),
    processHealth: new ProcessHealth(now),
    oneTimeLinks: new OneTimeLinks(now),
    sessions: new PageSessions(now),
    unread: { ...DEFAULT_UNREAD_LIMITS, ...options.unread },
    startedAt: now(),
    now,
  };
  return {
    path: '/ui',
    link: (origin, rights = MANAGE_RIGHTS, used) => `${origin}/ui/#${parts.oneTimeLinks.issue(rights, used)}`,
    serve: (request, response) => {
      response.on('error', () => undefined);
      setSecurityHeaders(response);
      endWhenStalled(response, parts.unread);
      serve(request, response, parts, files).catch((error: unknown) => answerError(response, error));
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: DashboardParts,
  files: ReadonlyMap<string, PageFile>,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://mcpmux');
  if (!url.pathname.startsWith(API_PREFIX)) return serveFile(url.pathname, request, response, files);
  const refusal = refusalReason(request);
  if (refusal !== undefined) throw new PageError(403, refusal);
  const name = url.pathname.slice(API_PREFIX.length);
  if (name === 'login') return logIn(request, response, parts);
  const secrets = secretsIn(request);
  const session = parts.sessions.findSession(secrets);
  if (session === undefined) throw new PageError(401, NO_SESSION_MESSAGE);
  if (name === 'logout') {
    parts.sessions.closeSession(secrets.cookie);
    response.setHeader('set-cookie', cookieFor(request));
    return answerJson(response, {});
  }
  session.destroyAtEnd(response);
  return serveRoute(name, { request, response, query: url.searchParams, parts, rights: session.rights });
}

/** Exchanges a link's token for the secrets of a session. */
async function logIn(
  request: IncomingMessage,
  response: ServerResponse,
  { oneTimeLinks, sessions }: DashboardParts,
): Promise<void> {
  if (request.method !== 'POST') throw new PageError(405, 'The token of a link is posted.');
  const rights = oneTimeLinks.redeem(stringIn(await readBody(request), 'token'));
  if (rights === undefined)
    throw new PageError(
      401,
      'This link was used already, or is older than two minutes. Make a new one: mcpmux ui',
    );
  const { cookie, key } = sessions.openSession(rights);
  response.setHeader('set-cookie', cookieFor(request, cookie));
  answerJson(response, { key });
}

function serveFile(
  pathname: string,
  { method }: IncomingMessage,
  response: ServerResponse,
  files: ReadonlyMap<string, PageFile>,
): void {
  if (method !== 'GET' && method !== 'HEAD') throw new PageError(405, 'The page is only read.');
  if (pathname === '/ui') return void response.writeHead(308, { location: '/ui/' }).end();
  const name = pathname === '/ui/' ? 'index.html' : pathname.slice('/ui/'.length);
  const file = files.get(name);
  if (file === undefined) throw new PageError(404, 'The page has no such file.');
  response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length });
  response.end(method === 'HEAD' ? undefined : file.bytes);
}

function answerError(response: ServerResponse, error: unknown): void {
  if (error instanceof PageError) return answerJson(response, { error: error.message }, error.status);
  answerJson(response, { error: messageOf(error) }, 500);
}
