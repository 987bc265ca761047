import type { Json, JsonObject, Outcome } from '../outcome.js';
import { asObject, mapResults, without } from './json.js';
import type { Rule } from './rule.js';

const METHOD = 'initialize';

/** Servers come later and capabilities cannot change, so mcpmux declares all of its own. */
export const CAPABILITIES: Rule = {
  name: 'capabilities',
  title: 'mcpmux declares every capability that a server can have, because servers come and go.',
  apply: ({ direct, through }) => {
    const wanted = resultOf(direct)?.['capabilities'];
    return {
      direct,
      through: mapResults(through, METHOD, (result) => ({
        ...result,
        capabilities: restricted(result['capabilities'] ?? {}, wanted),
      })),
    };
  },
};

/** Only what `wanted` has too, at every depth. */
function restricted(value: Json, wanted: Json | undefined): Json {
  const object = asObject(value);
  const keys = asObject(wanted);
  if (object === undefined || keys === undefined) return value;
  const kept = Object.entries(object).filter(([key]) => key in keys);
  return Object.fromEntries(kept.map(([key, item]) => [key, restricted(item, keys[key])]));
}

/** What a client learns in the handshake cannot be changed later. */
export const LATE_EXTENSIONS: Rule = {
  name: 'late extensions',
  title: 'Experimental capabilities of a server that is added after the handshake are not told.',
  apply: ({ direct, through }) => ({
    direct: mapResults(direct, METHOD, (result) => ({
      ...result,
      capabilities: without(asObject(result['capabilities']) ?? {}, 'experimental'),
    })),
    through,
  }),
};

/** mcpmux is the server that a client sees. */
export const SERVER_INFO: Rule = {
  name: 'server info',
  title: 'The server introduces itself as mcpmux.',
  apply: ({ direct, through }) => ({
    direct,
    through: mapResults(through, METHOD, (result) =>
      asObject(result['serverInfo'])?.['name'] === 'mcpmux'
        ? { ...result, serverInfo: resultOf(direct)?.['serverInfo'] ?? null }
        : result,
    ),
  }),
};

/** A server that is added after `initialize` gives its instructions with the answer of `add_server`. */
export const INSTRUCTIONS: Rule = {
  name: 'instructions',
  title: 'Instructions of a server that is added later come with the answer of add_server.',
  apply: ({ direct, through }) => {
    const added = addedInstructions(through);
    const rest = through.filter(
      ({ kind, ...seen }) => !(kind === 'result' && 'to' in seen && seen.to === 'tools/call'),
    );
    return {
      direct,
      through: mapResults(rest, METHOD, ({ instructions, ...result }) => ({
        ...result,
        ...(typeof instructions === 'string' && added !== undefined && { instructions: added }),
      })),
    };
  },
};

function addedInstructions(outcome: Outcome): Json | undefined {
  const answer = outcome.find((seen) => seen.kind === 'result' && seen.to === 'tools/call');
  if (answer?.kind !== 'result') return undefined;
  return asObject(answer.result['structuredContent'])?.['instructions'];
}

function resultOf(outcome: Outcome): JsonObject | undefined {
  const answer = outcome.find((seen) => seen.kind === 'result' && seen.to === METHOD);
  return answer?.kind === 'result' ? answer.result : undefined;
}
