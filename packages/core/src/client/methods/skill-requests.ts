import { isRecord, quote } from '@mcpmux/kit';
import { EACH, resultLine, type Span, valuePaths, valueSpans } from '@mcpmux/wire';
import { skillEntry, type SkillEntry } from '../../catalog/skill-entry.js';
import { routeResource } from '../../catalog/routing/route-resource.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';
import type { Exchange } from '../request/exchange.js';
import type { Handler } from './handler.js';
import { forwardOtherRequest } from './other-requests.js';

const SKILLS = 'io.modelcontextprotocol/skills';
const SKILL_ENTRY_PATHS = valuePaths([['skills', EACH]]);
const NEXT_CURSOR_PATHS = valuePaths([['nextCursor']]);
const SKILL_PATHS = valuePaths([['skill']]);
/** Limits on the listed skills of each server. Skills beyond a limit can still be read by URI. */
const MAX_PAGES = 50;
const MAX_SKILLS = 1000;
const MAX_SKILL_BYTES = 5_000_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** The members that prevent the caching of a result, because skills and servers may change at any time. */
const UNCACHED_RESULT_MEMBERS = '"resultType":"complete","ttlMs":0,"cacheScope":"private"';

/** Answers `skills/list` with one page of all servers' skills, omitting servers that fail. */
export const listSkills: Handler = async (exchange, parts) => {
  const { caller } = exchange;
  const servers = serversWithSkills(caller);
  if (servers.length === 0) return forwardOtherRequest(exchange, parts);
  const { knownUris } = caller.view.catalog;
  const lists = await Promise.all(servers.map((upstream) => fetchSkills(upstream, caller).catch(() => [])));
  const usedUris = new Set<string>();
  const entries: string[] = [];
  for (const [index, upstream] of servers.entries()) {
    const newUris = new Set<string>();
    for (const json of lists[index] ?? []) {
      const entry = skillEntry(json, upstream, (uri) => usedUris.has(uri));
      if (entry === undefined) continue;
      learnSkill(entry, knownUris);
      for (const uri of entry.uris.keys()) newUris.add(uri);
      entries.push(entry.json.toString('utf8'));
    }
    for (const uri of newUris) usedUris.add(uri);
  }
  exchange.respond(resultLine(exchange.id, `{"skills":[${entries.join(',')}],${UNCACHED_RESULT_MEMBERS}}`));
};

/** Answers `skills/get`. Requests the skill from its server or, if the server is unknown, from each server in turn. */
export const getSkill: Handler = async (exchange, parts) => {
  const { caller } = exchange;
  const servers = serversWithSkills(caller);
  if (servers.length === 0) return forwardOtherRequest(exchange, parts);
  const uri = exchange.textAt('uri')?.text;
  if (uri === undefined) return exchange.rejectParams('params.uri must be a string');
  exchange.release();
  const { directory, catalog } = caller.view;
  const route = routeResource(uri, directory.snapshot(), catalog.knownUris);
  const isOwnerKnown = route.kind === 'owner' && servers.includes(route.resource.upstream);
  const candidates = isOwnerKnown ? [route.resource] : servers.map((upstream) => ({ upstream, uri }));
  for (const { upstream, uri: serverUri } of candidates) {
    const json = await fetchSkill(upstream, serverUri, caller).catch(() => undefined);
    // If the URIs differ, the client used an alias, because another server's skill already uses this server's own URI.
    const entry =
      json && skillEntry(json, upstream, (candidate) => candidate === serverUri && serverUri !== uri);
    if (entry === undefined) continue;
    learnSkill(entry, catalog.knownUris);
    return exchange.respond(
      resultLine(exchange.id, `{"skill":${entry.json.toString('utf8')},${UNCACHED_RESULT_MEMBERS}}`),
    );
  }
  refuseUnknownSkill(exchange, uri);
};

/** Returns the running and idle servers that declare skills and that the caller may use. */
function serversWithSkills({ view }: Caller): readonly Upstream[] {
  const { upstreams } = view.directory.snapshot();
  return upstreams.filter(({ name, identity, connection, state }) => {
    const extensions = identity?.capabilities['extensions'];
    const hasSkills = isRecord(extensions) && Object.hasOwn(extensions, SKILLS);
    return (connection !== undefined || state.kind === 'idle') && hasSkills && view.seesName(name);
  });
}

async function fetchSkills(upstream: Upstream, caller: Caller): Promise<readonly Buffer[]> {
  await wakeServer(upstream, caller);
  const skills: Buffer[] = [];
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await upstream.connection?.request('skills/list', { cursor }, REQUEST_TIMEOUT_MS);
    if (answer === undefined) return skills;
    for (const json of copyValues(answer.line, answer.result, SKILL_ENTRY_PATHS)) {
      bytes += json.length;
      if (skills.length >= MAX_SKILLS || bytes > MAX_SKILL_BYTES) return skills;
      skills.push(json);
    }
    cursor = nextCursor(answer.line, answer.result);
    if (cursor === undefined) break;
  }
  return skills;
}

async function fetchSkill(upstream: Upstream, uri: string, caller: Caller): Promise<Buffer | undefined> {
  await wakeServer(upstream, caller);
  const answer = await upstream.connection?.request('skills/get', { uri }, REQUEST_TIMEOUT_MS);
  return answer && copyValues(answer.line, answer.result, SKILL_PATHS)[0];
}

async function wakeServer(upstream: Upstream, { layer }: Caller): Promise<void> {
  if (upstream.connection === undefined) await layer.supervisorOf(upstream)?.wake();
}

function copyValues(line: Buffer, result: Span, paths: typeof SKILL_ENTRY_PATHS): readonly Buffer[] {
  return valueSpans(line, result, paths).map(({ span }) => Buffer.from(line.subarray(span.start, span.end)));
}

function nextCursor(line: Buffer, result: Span): string | undefined {
  const [json] = copyValues(line, result, NEXT_CURSOR_PATHS);
  const cursor: unknown = json && JSON.parse(json.toString('utf8'));
  return typeof cursor === 'string' ? cursor : undefined;
}

function learnSkill({ uris }: SkillEntry, knownUris: Caller['view']['catalog']['knownUris']): void {
  for (const [seen, resource] of uris) knownUris.learnSkill(seen, resource);
}

function refuseUnknownSkill(exchange: Exchange, uri: string): void {
  exchange.rejectParams(`No server has a skill at ${quote(uri)}`, { uri });
}
