import { isDeepStrictEqual } from 'node:util';

import type { Json, JsonObject, Outcome, Pair, Seen } from '../surface/outcome.js';
import { asObject, asText } from '../surface/rules/json.js';
import type { Rule } from '../surface/rules/rule.js';

const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

/** A client sees mcpmux, and the server's texts when it adds the server. */
export const INTRODUCTION: Rule = {
  name: 'introduction',
  title:
    'mcpmux introduces itself, with all capabilities that servers may have; its answer to add_server brings the instructions of the server.',
  apply: (pair) => {
    const alone = openingOf(pair.direct);
    const fronted = openingOf(pair.through);
    if (alone === undefined || fronted === undefined || !has(fronted, alone) || !reportsAll(pair, alone))
      return pair;
    return {
      direct: pair.direct.map(anonymous),
      through: pair.through.filter((seen) => !answersAdding(seen)).map(anonymous),
    };
  },
};

function openingOf(outcome: Outcome): JsonObject | undefined {
  const opening = outcome.find(opens);
  return opening?.kind === 'result' ? opening.result : undefined;
}

function opens(seen: Seen): boolean {
  return seen.kind === 'result' && OPENINGS.has(seen.to);
}

/** Whether the front has at least the capabilities of the server. */
function has(fronted: JsonObject, alone: JsonObject): boolean {
  const offered = asObject(fronted['capabilities']) ?? {};
  return Object.entries(asObject(alone['capabilities']) ?? {}).every(([name, value]: [string, Json]) =>
    isDeepStrictEqual(offered[name], value),
  );
}

function reportsAll({ through }: Pair, alone: JsonObject): boolean {
  const instructions = asText(alone['instructions']);
  return through.some((seen) => answersAdding(seen) && JSON.stringify(seen).includes(instructions));
}

function answersAdding(seen: Seen): boolean {
  return seen.kind === 'result' && seen.to === 'tools/call';
}

function anonymous(seen: Seen): Seen {
  if (seen.kind !== 'result' || !OPENINGS.has(seen.to)) return seen;
  const meta = asObject(seen.result['_meta']);
  const named = meta?.[SERVER_INFO] !== undefined;
  const result: JsonObject = { ...seen.result, capabilities: {}, serverInfo: {}, instructions: '' };
  return { ...seen, result: named ? { ...result, _meta: { ...meta, [SERVER_INFO]: {} } } : result };
}
