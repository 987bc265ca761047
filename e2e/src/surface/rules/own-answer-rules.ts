import type { Outcome, Seen } from '../outcome.js';
import { mapOutcomeStrings, sorted } from './json.js';
import type { Rule } from './rule.js';

/** What no server is asked is refused by mcpmux. */
export const REFUSAL: Rule = {
  name: 'refusal',
  title:
    'What no server has (an unknown name, URI, task or level) is refused by mcpmux: -32602, in its own words.',
  apply: ({ direct, through }) => ({ direct: direct.map(unworded), through: through.map(unworded) }),
};

/** A refusal without its words: an error about params, an internal error, or a tool's failure. */
function unworded(seen: Seen): Seen {
  const isRefusal =
    (seen.kind === 'error' && [-32602, -32603, -32002].includes(Number(seen.error['code']))) ||
    (seen.kind === 'result' && seen.result['isError'] === true);
  return isRefusal ? { kind: 'error', to: seen.to, error: { code: -32602 } } : seen;
}

/** Whether a client is there is known to mcpmux. */
export const LOCAL_PING: Rule = {
  name: 'local ping',
  title: 'mcpmux answers the ping of a server itself.',
  apply: ({ direct, through }) => ({
    direct: reordered(direct.filter((seen) => !asks(seen, 'ping'))),
    through: reordered(through),
  }),
};

/** A client is asked for its roots once. */
export const CACHED_ROOTS: Rule = {
  name: 'cached roots',
  title:
    'mcpmux asks the client for its roots once, and again after they changed; all servers get that answer.',
  apply: ({ direct, through }) => ({ direct: once(direct), through: once(through) }),
};

function once(outcome: Outcome): Outcome {
  return reordered(outcome.filter((seen) => !asks(seen, 'roots/list')));
}

/** What mcpmux says itself has its own order of members, which shows where a tool returns the line that it got. */
function reordered(outcome: Outcome): Outcome {
  return mapOutcomeStrings(outcome, (text, key) => (key === 'text' ? sorted(text) : text));
}

function asks(seen: Seen, method: string): boolean {
  return seen.kind === 'request' && seen.method === method;
}
