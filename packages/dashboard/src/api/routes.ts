import type { IncomingMessage, ServerResponse } from 'node:http';

import { messageOf } from '@mcpmux/core';

import { answerJson, bodyOf, isRecord, PageError, textIn } from '../entrance/answers.js';
import { feedPage } from '../data/event-feed.js';
import { feedMessages } from '../data/message-feed.js';
import type { ConfigChange, DashboardParts, PageRights } from './dashboard-parts.js';
import { postMcp } from './mcp-post.js';
import { overview } from './overview.js';
import { serverLog } from './server-log.js';
import { toolNotes } from './tool-notes.js';

/** A request of a page that has logged in. */
interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly parts: DashboardParts;
  readonly rights: PageRights;
}

/** Answers a request, or resolves with the JSON value of the answer. */
interface Route {
  readonly needsManage?: boolean;
  run(asked: Asked): unknown;
}

const ROUTES: Readonly<Record<string, Route>> = {
  'GET overview': { run: ({ parts, rights }) => overview(parts, rights) },
  'GET events': { run: events },
  'GET call': { run: content },
  'GET messages': { run: messages },
  'GET tools': { run: ({ parts }) => toolNotes(parts) },
  'GET log': { run: ({ query, parts }) => serverLog(query.get('server') ?? '', parts) },
  'POST mcp': {
    run: async ({ request, response, parts, rights }) =>
      postMcp(await bodyOf(request), response, parts, rights),
  },
  'POST reload': { needsManage: true, run: reload },
  'POST remove': { needsManage: true, run: remove },
  'POST config': { needsManage: true, run: config },
  'POST drain': { needsManage: true, run: drain },
  'GET registry': { run: search },
};

/**
 * Serves one request for data.
 *
 * @throws PageError
 */
export async function serveRoute(name: string, asked: Asked): Promise<void> {
  const key = `${asked.request.method ?? ''} ${name}`;
  const route = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined;
  if (route === undefined) throw new PageError(404, 'The page has no such data.');
  if (route.needsManage === true && !asked.rights.mayManage)
    throw new PageError(403, 'This link opened the page for reading only.');
  const value: unknown = await route.run(asked);
  if (value !== undefined) answerJson(asked.response, value);
}

function events({ query, response, parts: { mux, calls } }: Asked): Promise<void> {
  const after = query.get('after');
  return feedPage({ mux, calls, response, after: after === null ? undefined : Number(after) });
}

function messages({ query, response, parts: { mux } }: Asked): Promise<void> {
  const found = mux.messages(Number(query.get('session')));
  if (found === undefined) throw new PageError(404, 'No client with this session is connected.');
  return feedMessages(found, response);
}

function content({ query, parts: { calls } }: Asked): object {
  const found = calls.contentOf(Number(query.get('call')));
  if (found === undefined) throw new PageError(404, 'The content of this call is not stored any more.');
  return found;
}

async function reload({ request, parts: { mux } }: Asked): Promise<object> {
  const body = await bodyOf(request);
  const approve = body['approve'] === true;
  const { status, tools } = await refusing(mux.reloadServer(textIn(body, 'name'), { approve }));
  return { status, tools: tools.length };
}

async function remove({ request, parts: { mux } }: Asked): Promise<object> {
  await refusing(mux.removeServer(textIn(await bodyOf(request), 'name')));
  return { status: 'removed' };
}

async function drain({ request, parts: { cluster } }: Asked): Promise<object> {
  if (cluster === undefined) throw new PageError(404, 'This mcpmux is no node of a cluster.');
  await refusing(cluster.drain(textIn(await bodyOf(request), 'node')));
  return { status: 'drained' };
}

async function config({ request, parts: { editor } }: Asked): Promise<object> {
  if (editor === undefined) throw new PageError(409, 'This mcpmux has no config that the page could change.');
  const body = await bodyOf(request);
  return refusing(editor.change(changeIn(body), body['dryRun'] === true));
}

function changeIn(body: Readonly<Record<string, unknown>>): ConfigChange {
  const { kind, servers } = body;
  if (kind === 'add' && isRecord(servers) && Object.keys(servers).length > 0) return { kind, servers };
  if (kind === 'remove' || kind === 'enable' || kind === 'disable')
    return { kind, name: textIn(body, 'name') };
  throw new PageError(400, 'The body describes no change of the config.');
}

function search({ query, parts }: Asked): Promise<object> {
  if (parts.search === undefined) throw new PageError(404, 'This mcpmux searches no registry.');
  return refusing(parts.search(query.get('words') ?? ''));
}

/** What the mux or the config refuses is an answer, not a defect. */
async function refusing<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw new PageError(409, messageOf(error));
  }
}
