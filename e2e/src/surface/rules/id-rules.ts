import type { Outcome } from '../outcome.js';
import { asObject, mapOutcomeStrings, mapResults, mapStrings } from './json.js';
import type { Rule } from './rule.js';

/** Ids of tasks tell their server, so that they outlive mcpmux. */
export const TASK_IDS: Rule = {
  name: 'task ids',
  title: 'The id of a task begins with `mux1:` and the name of the server.',
  apply: ({ direct, through }, server) => {
    const prefix = `mux1:${server}:`;
    return {
      direct,
      through: mapOutcomeStrings(through, (text, key) =>
        key === 'taskId' && text.startsWith(prefix) ? text.slice(prefix.length) : text,
      ),
    };
  },
};

/** What a server was sent carries the ids that mcpmux gave. */
export const REQUEST_IDS: Rule = {
  name: 'request ids',
  title: 'A server sees other ids of requests than the client gave.',
  apply: ({ direct, through }) => {
    const replaced = (text: string): string => text.replace(/"id":(?:"[^"]*"|-?\d+)/, '"id":"*"');
    return {
      direct: mapOutcomeStrings(direct, (text, key) =>
        key === 'received' || key === 'text' ? replaced(text) : text,
      ),
      through: mapOutcomeStrings(through, (text, key) =>
        key === 'received' || key === 'text' ? replaced(text) : text,
      ),
    };
  },
};

/** mcpmux marks the processes that it starts. */
export const ENVIRONMENT: Rule = {
  name: 'environment',
  title: 'A server finds the variable MCPMUX_CHILD in its environment.',
  apply: ({ direct, through }) => ({
    direct,
    through: mapResults(through, 'tools/call', (result) =>
      mapStrings(result, (text) => text.replace(/,?\n *"MCPMUX_CHILD": "[^"]*"/, '')),
    ),
  }),
};

/** A server's token for progress means nothing beyond its own connection. */
export const PROGRESS_TOKEN: Rule = {
  name: 'progress token',
  title: "A request of a server reaches the client with a progress token of mcpmux's own.",
  apply: ({ direct, through }) => ({ direct: withoutToken(direct), through: withoutToken(through) }),
};

function withoutToken(outcome: Outcome): Outcome {
  return outcome.map((seen) => {
    const meta = seen.kind === 'request' ? asObject(seen.params['_meta']) : undefined;
    if (seen.kind !== 'request' || meta?.['progressToken'] === undefined) return seen;
    return { ...seen, params: { ...seen.params, _meta: { ...meta, progressToken: '<token>' } } };
  });
}
