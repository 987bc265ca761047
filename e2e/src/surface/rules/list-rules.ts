import type { Json, JsonObject, Outcome } from '../outcome.js';
import { asObject, asText, mapResults } from './json.js';
import type { Rule } from './rule.js';

/** Own tools are the ones without a prefix. */
export const OWN_TOOLS: Rule = {
  name: 'own tools',
  title: "mcpmux lists its own tools before the server's.",
  apply: ({ direct, through }) => ({
    direct,
    through: mapResults(through, 'tools/list', (result) => {
      const { tools } = result;
      if (!Array.isArray(tools)) return result;
      return { ...result, tools: tools.filter((tool: Json) => nameOf(tool).includes('__')) };
    }),
  }),
};

/** Names in lists carry the name of their server. */
export const PREFIX: Rule = {
  name: 'prefix',
  title: 'Names of tools and prompts begin with the name of the server and two underscores.',
  apply: (pair, server) => ({
    direct: pair.direct,
    through: [
      ['tools/list', 'tools'],
      ['prompts/list', 'prompts'],
    ].reduce((outcome, [method = '', key = '']) => unprefixed(outcome, method, key, server), pair.through),
  }),
};

function unprefixed(outcome: Outcome, method: string, key: string, server: string): Outcome {
  return mapResults(outcome, method, (result) => {
    const list = result[key];
    return Array.isArray(list)
      ? { ...result, [key]: list.map((item: Json) => withoutPrefix(item, `${server}__`)) }
      : result;
  });
}

function withoutPrefix(item: Json, prefix: string): Json {
  const object = asObject(item);
  const name = nameOf(item);
  if (object === undefined || !name.startsWith(prefix)) return item;
  return { ...object, name: name.slice(prefix.length) } satisfies JsonObject;
}

function nameOf(item: Json): string {
  return asText(asObject(item)?.['name']);
}

const LISTS = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
  'tasks/list': 'tasks',
} as const;

/** A list is made of the entries of all servers; what a server says beside its entries is about its own list. */
export const MERGED_LISTS: Rule = {
  name: 'merged lists',
  title: 'A list holds the entries of all servers, and nothing else that a server says beside them.',
  apply: ({ direct, through }) => ({
    direct: Object.entries(LISTS).reduce(
      (outcome, [method, key]) => mapResults(outcome, method, (result) => ({ [key]: result[key] ?? [] })),
      direct,
    ),
    through,
  }),
};

/** Many clients never ask for a second page. */
export const ONE_PAGE: Rule = {
  name: 'one page',
  title: 'mcpmux reads all pages of a list and gives them as one.',
  apply: ({ direct, through }) => ({
    direct: Object.entries(LISTS).reduce((outcome, [method, key]) => joined(outcome, method, key), direct),
    through,
  }),
};

/** The pages of one list in place of the last of them. */
function joined(outcome: Outcome, method: string, key: string): Outcome {
  const entries: Json[] = [];
  return outcome.flatMap((seen) => {
    if (seen.kind !== 'result' || seen.to !== method) return [seen];
    const { [key]: page = [], nextCursor, ...rest } = seen.result;
    entries.push(...(Array.isArray(page) ? (page as readonly Json[]) : []));
    return nextCursor === undefined ? [{ ...seen, result: { ...rest, [key]: [...entries] } }] : [];
  });
}
