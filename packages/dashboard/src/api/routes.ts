import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRecord } from '@mcpmux/core';

import { answerJson, bodyOf, PageError, textIn } from '../entrance/answers.js';
import { feedPage } from '../data/event-feed.js';
import { feedMessages } from '../data/message-feed.js';
import type { ConfigChange, DashboardParts, PageRights, ServerRegistry } from './dashboard-parts.js';
import { postMcp } from './mcp-post.js';
import { overview } from './overview.js';
import { serverLog } from './server-log.js';
import { toolNotes } from './tool-notes.js';

/** A request from a page that has logged in. */
interface RouteRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly parts: DashboardParts;
  readonly rights: PageRights;
}

/** A handler of requests. It sends the response, or returns the JSON value of the response. */
interface Route {
  readonly needsManage?: boolean;
  run(asked: RouteRequest): unknown;
}

const SCOPES = ['once', 'session', 'always'] as const;

const ROUTES: Readonly<Record<string, Route>> = {
  'GET overview': { run: ({ parts, rights }) => overview(parts, rights) },
  'GET events': { run: events },
  'GET call': { run: content },
  'GET messages': { run: messages },
  'GET tools': { run: ({ query, parts }) => attempt(parts, async () => toolNotes(layerOf(query), parts)) },
  'GET log': {
    run: ({ query, parts }) =>
      attempt(parts, () => serverLog(query.get('server') ?? '', layerOf(query), parts)),
  },
  'POST mcp': { run: mcp },
  'POST reload': { needsManage: true, run: reload },
  'POST remove': { needsManage: true, run: remove },
  'POST config': { needsManage: true, run: config },
  'POST approve': { needsManage: true, run: answer },
  'POST drain': { needsManage: true, run: drain },
  'GET registry': { run: search },
  'POST registry': { needsManage: true, run: entry },
};

/**
 * Serves one request for data.
 *
 * @throws PageError
 */
export async function serveRoute(name: string, asked: RouteRequest): Promise<void> {
  const key = `${asked.request.method ?? ''} ${name}`;
  const route = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined;
  if (route === undefined) throw new PageError(404, 'The page has no such data.');
  if (route.needsManage === true && !asked.rights.mayManage)
    throw new PageError(403, 'This link opened the page for reading only.');
  const value: unknown = await route.run(asked);
  if (value !== undefined) answerJson(asked.response, value);
}

function events({ query, response, parts: { mux, calls } }: RouteRequest): Promise<void> {
  const [after, place] = [query.get('after'), query.get('calls')];
  return feedPage({
    mux,
    calls,
    response,
    after: after === null ? undefined : Number(after),
    place: place ?? '',
  });
}

function messages({ query, response, parts: { mux } }: RouteRequest): Promise<void> {
  const found = mux.messages(Number(query.get('session')));
  if (found === undefined) throw new PageError(404, 'No client with this session is connected.');
  return feedMessages(found, response);
}

async function mcp({ request, response, query, parts, rights }: RouteRequest): Promise<void> {
  const { mux, unread } = parts;
  const message = await bodyOf(request);
  const isWithdrawn = query.has('withdrawn');
  const place = { mux, unread, layer: layerOf(query), isWithdrawn };
  await attempt(parts, () => postMcp(message, response, place, rights));
}

/** Returns the layer of a server in one workspace or session. Returns undefined for the servers of all clients. */
function layerOf(query: URLSearchParams): string | undefined {
  return query.get('layer') ?? undefined;
}

function content({ query, parts: { calls } }: RouteRequest): object {
  const found = calls.contentOf(Number(query.get('call')));
  if (found === undefined) throw new PageError(404, 'The content of this call is not stored any more.');
  return found;
}

async function reload({ request, parts }: RouteRequest): Promise<object> {
  const body = await bodyOf(request);
  const approve = body['approve'] === true;
  const name = textIn(body, 'name');
  const { status, tools } = await attempt(parts, () =>
    parts.mux.reloadServer(name, { approve, ...placeIn(body) }),
  );
  return { status, tools: tools.length };
}

async function remove({ request, parts }: RouteRequest): Promise<object> {
  const body = await bodyOf(request);
  const name = textIn(body, 'name');
  await attempt(parts, () => parts.mux.removeServer(name, placeIn(body)));
  return { status: 'removed' };
}

function placeIn({ layer }: Readonly<Record<string, unknown>>): { readonly layer?: string } {
  return typeof layer === 'string' ? { layer } : {};
}

async function answer({ request, parts }: RouteRequest): Promise<object> {
  const { id, isAllowed, scope } = await bodyOf(request);
  const known = SCOPES.find((one) => one === scope);
  const isAnswered =
    typeof id === 'number' &&
    known !== undefined &&
    parts.mux.approvals.answer(id, { isAllowed: isAllowed === true, scope: known });
  if (!isAnswered) throw new PageError(409, 'The call no longer waits, or cannot be approved for that long.');
  return { status: isAllowed === true ? 'allowed' : 'refused' };
}

async function drain({ request, parts }: RouteRequest): Promise<object> {
  const { cluster } = parts;
  if (cluster === undefined) throw new PageError(404, 'This mcpmux is no node of a cluster.');
  const node = textIn(await bodyOf(request), 'node');
  await attempt(parts, () => cluster.drain(node));
  return { status: 'drained' };
}

async function config({ request, parts }: RouteRequest): Promise<object> {
  const { editor } = parts;
  if (editor === undefined) throw new PageError(409, 'This mcpmux has no config that the page could change.');
  const body = await bodyOf(request);
  const { dryRun, basis } = body;
  const change = changeIn(body);
  const options = { isDryRun: dryRun === true, ...(typeof basis === 'string' && { basis }) };
  return attempt(parts, () => editor.change(change, options));
}

function changeIn(body: Readonly<Record<string, unknown>>): ConfigChange {
  const { kind, servers, secrets = {} } = body;
  if (kind === 'add' && isRecord(servers) && Object.keys(servers).length > 0)
    return { kind, servers, secrets: textsIn(secrets) };
  if (kind === 'remove' || kind === 'enable' || kind === 'disable')
    return { kind, name: textIn(body, 'name') };
  throw new PageError(400, 'The body describes no change to the config.');
}

function search({ query, parts }: RouteRequest): Promise<object> {
  const registry = registryOf(parts);
  return attempt(parts, () => registry.search(query.get('words') ?? ''));
}

async function entry({ request, parts }: RouteRequest): Promise<object> {
  const registry = registryOf(parts);
  const body = await bodyOf(request);
  const { secrets = [], values = {} } = body;
  if (!Array.isArray(secrets)) throw new PageError(400, 'The secrets are not a list of ids.');
  const choice = {
    server: textIn(body, 'server'),
    source: textIn(body, 'source'),
    name: textIn(body, 'name'),
    values: textsIn(values),
    secrets: secrets.map(String),
  };
  return attempt(parts, () => registry.entry(choice));
}

function registryOf({ registry }: DashboardParts): ServerRegistry {
  if (registry === undefined) throw new PageError(404, 'This mcpmux searches no registry.');
  return registry;
}

/** @throws PageError 400 for a value that is not an object of strings */
function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) throw new PageError(400, 'The values are not an object.');
  const texts = Object.entries(value).map(([key, text]): [string, string] => {
    if (typeof text !== 'string') throw new PageError(400, `The value of ${key} is not a text.`);
    return [key, text];
  });
  return Object.fromEntries(texts);
}

/** Runs work and converts a refusal of the mux or the config to a PageError, because a refusal is not a defect. */
async function attempt<Value>(
  { problemOf }: Pick<DashboardParts, 'problemOf'>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PageError ? error : new PageError(409, problemOf(error));
  }
}
