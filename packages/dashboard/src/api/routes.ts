import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRecord } from '@mcpmux/core';

import { answerJson, readBody, PageError, stringIn } from '../entrance/answers.js';
import { feedPage } from '../data/event-feed.js';
import { feedMessages } from '../data/message-feed.js';
import type { ConfigChange, DashboardParts, PageRights, ServerRegistry } from './dashboard-parts.js';
import { postMcp } from './mcp-post.js';
import { createOverview } from './overview.js';
import { readServerLog } from './server-log.js';
import { toolNotes } from './tool-notes.js';

/** A request from a page that has logged in. */
interface RouteRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly parts: DashboardParts;
  readonly rights: PageRights;
}

/** A request handler. It sends the response itself, or returns the response as a JSON value. */
interface Route {
  readonly needsManage?: boolean;
  handle(routeRequest: RouteRequest): unknown;
}

const APPROVAL_SCOPES = ['once', 'session', 'always'] as const;

const ROUTES: Readonly<Record<string, Route>> = {
  'GET overview': { handle: ({ parts, rights }) => createOverview(parts, rights) },
  'GET events': { handle: sendEvents },
  'GET call': { handle: callContent },
  'GET messages': { handle: sendMessages },
  'GET tools': {
    handle: ({ query, parts }) => withPageErrors(parts, async () => toolNotes(layerIn(query), parts)),
  },
  'GET log': {
    handle: ({ query, parts }) =>
      withPageErrors(parts, () => readServerLog(query.get('server') ?? '', layerIn(query), parts)),
  },
  'POST mcp': { handle: forwardToMux },
  'POST reload': { needsManage: true, handle: reloadServer },
  'POST remove': { needsManage: true, handle: removeServer },
  'POST config': { needsManage: true, handle: changeConfig },
  'POST approve': { needsManage: true, handle: answerApproval },
  'POST drain': { needsManage: true, handle: drainNode },
  'GET registry': { handle: searchRegistry },
  'POST registry': { needsManage: true, handle: createConfigEntry },
};

/**
 * Serves one request for data.
 *
 * @throws PageError
 */
export async function serveRoute(name: string, routeRequest: RouteRequest): Promise<void> {
  const key = `${routeRequest.request.method ?? ''} ${name}`;
  const route = Object.hasOwn(ROUTES, key) ? ROUTES[key] : undefined;
  if (route === undefined) throw new PageError(404, 'The page has no such data.');
  if (route.needsManage === true && !routeRequest.rights.mayManage)
    throw new PageError(403, 'This link opened the page for reading only.');
  const value: unknown = await route.handle(routeRequest);
  if (value !== undefined) answerJson(routeRequest.response, value);
}

function sendEvents({ query, response, parts: { mux, callFeed } }: RouteRequest): Promise<void> {
  const [after, place] = [query.get('after'), query.get('calls')];
  return feedPage({
    mux,
    calls: callFeed,
    response,
    afterEvent: after === null ? undefined : Number(after),
    callPosition: place ?? '',
  });
}

function sendMessages({ query, response, parts: { mux } }: RouteRequest): Promise<void> {
  const found = mux.messages(Number(query.get('session')));
  if (found === undefined) throw new PageError(404, 'No client with this session is connected.');
  return feedMessages(found, response);
}

async function forwardToMux({ request, response, query, parts, rights }: RouteRequest): Promise<void> {
  const { mux, unread } = parts;
  const message = await readBody(request);
  const isWithdrawn = query.has('withdrawn');
  const destination = { mux, unread, layer: layerIn(query), isWithdrawn };
  await withPageErrors(parts, () => postMcp(message, response, destination, rights));
}

/** Returns the requested layer of a workspace or session, or undefined for the servers that all clients share. */
function layerIn(query: URLSearchParams): string | undefined {
  return query.get('layer') ?? undefined;
}

function callContent({ query, parts: { callFeed } }: RouteRequest): object {
  const found = callFeed.contentOf(Number(query.get('call')));
  if (found === undefined) throw new PageError(404, 'The content of this call is not stored any more.');
  return found;
}

async function reloadServer({ request, parts }: RouteRequest): Promise<object> {
  const body = await readBody(request);
  const approve = body['approve'] === true;
  const name = stringIn(body, 'name');
  const { status, tools } = await withPageErrors(parts, () =>
    parts.mux.reloadServer(name, { approve, ...layerOption(body) }),
  );
  return { status, tools: tools.length };
}

async function removeServer({ request, parts }: RouteRequest): Promise<object> {
  const body = await readBody(request);
  const name = stringIn(body, 'name');
  await withPageErrors(parts, () => parts.mux.removeServer(name, layerOption(body)));
  return { status: 'removed' };
}

function layerOption({ layer }: Readonly<Record<string, unknown>>): { readonly layer?: string } {
  return typeof layer === 'string' ? { layer } : {};
}

async function answerApproval({ request, parts }: RouteRequest): Promise<object> {
  const { id, isAllowed, scope } = await readBody(request);
  const known = APPROVAL_SCOPES.find((one) => one === scope);
  const isAnswered =
    typeof id === 'number' &&
    known !== undefined &&
    parts.mux.approvals.answer(id, { isAllowed: isAllowed === true, scope: known });
  if (!isAnswered) throw new PageError(409, 'The call no longer waits, or cannot be approved for that long.');
  return { status: isAllowed === true ? 'allowed' : 'refused' };
}

async function drainNode({ request, parts }: RouteRequest): Promise<object> {
  const { cluster } = parts;
  if (cluster === undefined) throw new PageError(404, 'This mcpmux is no node of a cluster.');
  const node = stringIn(await readBody(request), 'node');
  await withPageErrors(parts, () => cluster.drain(node));
  return { status: 'drained' };
}

async function changeConfig({ request, parts }: RouteRequest): Promise<object> {
  const { editor } = parts;
  if (editor === undefined) throw new PageError(409, 'This mcpmux has no config that the page could change.');
  const body = await readBody(request);
  const { dryRun, basis } = body;
  const change = parseChange(body);
  const options = { isDryRun: dryRun === true, ...(typeof basis === 'string' && { basis }) };
  return withPageErrors(parts, () => editor.change(change, options));
}

function parseChange(body: Readonly<Record<string, unknown>>): ConfigChange {
  const { kind, servers, secrets = {} } = body;
  if (kind === 'add' && isRecord(servers) && Object.keys(servers).length > 0)
    return { kind, servers, secrets: parseStrings(secrets) };
  if (kind === 'remove' || kind === 'enable' || kind === 'disable')
    return { kind, name: stringIn(body, 'name') };
  throw new PageError(400, 'The body describes no change to the config.');
}

function searchRegistry({ query, parts }: RouteRequest): Promise<object> {
  const registry = requireRegistry(parts);
  return withPageErrors(parts, () => registry.search(query.get('words') ?? ''));
}

async function createConfigEntry({ request, parts }: RouteRequest): Promise<object> {
  const registry = requireRegistry(parts);
  const body = await readBody(request);
  const { secrets = [], values = {} } = body;
  if (!Array.isArray(secrets)) throw new PageError(400, 'The secrets are not a list of ids.');
  const choice = {
    server: stringIn(body, 'server'),
    source: stringIn(body, 'source'),
    name: stringIn(body, 'name'),
    values: parseStrings(values),
    secrets: secrets.map(String),
  };
  return withPageErrors(parts, () => registry.entry(choice));
}

function requireRegistry({ registry }: DashboardParts): ServerRegistry {
  if (registry === undefined) throw new PageError(404, 'This mcpmux searches no registry.');
  return registry;
}

/** @throws PageError 400 for a value that is not an object of strings */
function parseStrings(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) throw new PageError(400, 'The values are not an object.');
  const texts = Object.entries(value).map(([key, text]): [string, string] => {
    if (typeof text !== 'string') throw new PageError(400, `The value of ${key} is not a text.`);
    return [key, text];
  });
  return Object.fromEntries(texts);
}

/** Runs a function. Converts expected errors of the mux or the config to PageErrors, because they are not bugs. */
async function withPageErrors<Value>(
  { problemOf }: Pick<DashboardParts, 'problemOf'>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PageError ? error : new PageError(409, problemOf(error));
  }
}
