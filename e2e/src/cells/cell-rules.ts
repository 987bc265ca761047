import type { JsonObject, Outcome, Pair, Seen } from '../surface/outcome.js';
import { asObject, asText, mapParams, without } from '../surface/rules/json.js';
import { OWN_TOOLS, PREFIX } from '../surface/rules/list-rules.js';
import { ELICITATION_LABEL, LOGGER_LABEL, SAMPLING_LABEL } from '../surface/rules/origin-rules.js';
import { REFUSAL } from '../surface/rules/own-answer-rules.js';
import type { Rule } from '../surface/rules/rule.js';
import { SERVER } from '../surface/run-script.js';
import { CELLS, type Cell } from './cell.js';
import { INTRODUCTION } from './introduction-rule.js';

/** A rule, and the cells that it may explain a difference in. */
export interface CellRule extends Rule {
  readonly cells: readonly Cell[];
}

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const OF_LEGACY = CELLS.filter(({ client }) => client === 'legacy');
const CROSSED = CELLS.filter(({ client, server }) => client !== server);
const LEGACY_ON_MODERN = CELLS.filter(({ client, server }) => client === 'legacy' && server === 'modern');
const MODERN_ON_LEGACY = CELLS.filter(({ client, server }) => client === 'modern' && server === 'legacy');

const SERVER_NAME: Rule = {
  name: 'server name',
  title: `Results keep \`_meta["${SERVER_INFO}"]\` of modern servers in both eras; mcpmux writes none into lists and into results of legacy servers.`,
  apply: ({ direct, through }) => ({ direct: direct.map(nameless), through: through.map(nameless) }),
};

function nameless(seen: Seen): Seen {
  if (seen.kind !== 'result') return seen;
  const meta = asObject(seen.result['_meta']);
  if (meta?.[SERVER_INFO] === undefined) return seen;
  return { ...seen, result: withMeta(seen.result, without(meta, SERVER_INFO)) };
}

function withMeta(object: JsonObject, meta: JsonObject): JsonObject {
  return Object.keys(meta).length === 0 ? without(object, '_meta') : { ...object, _meta: meta };
}

const PROGRESS_TOKEN: Rule = {
  name: 'own token',
  title:
    "A question of a legacy server carries a progress token of mcpmux's own; one of a modern server, none.",
  apply: ({ direct, through }) => ({ direct: direct.map(tokenless), through: through.map(tokenless) }),
};

function tokenless(seen: Seen): Seen {
  const meta = seen.kind === 'request' ? asObject(seen.params['_meta']) : undefined;
  if (seen.kind !== 'request' || meta?.['progressToken'] === undefined) return seen;
  return { ...seen, params: withMeta(seen.params, without(meta, 'progressToken')) };
}

const SEALED: Rule = {
  name: 'sealed state',
  title:
    'The keys of the questions and the request state of a round are of mcpmux when the server is a legacy one.',
  apply: ({ direct, through }) => ({ direct: direct.map(unsealed), through: through.map(unsealed) }),
};

function unsealed(seen: Seen): Seen {
  if (seen.kind !== 'result' || seen.result['resultType'] !== 'input_required') return seen;
  const { inputRequests, requestState } = seen.result;
  const count = Array.isArray(inputRequests) ? inputRequests.length : 0;
  return { ...seen, result: { ...seen.result, inputRequests: count, requestState: typeof requestState } };
}

const ELICITATION_ID: Rule = {
  name: 'elicitation id',
  title: 'The id of a URL elicitation is one of its own in each run; that of a modern server is of mcpmux.',
  apply: ({ direct, through }) => ({ direct: withId(direct), through: withId(through) }),
};

function withId(outcome: Outcome): Outcome {
  return mapParams(outcome, 'elicitation/create', (params) =>
    typeof params['elicitationId'] === 'string' ? { ...params, elicitationId: '<id>' } : params,
  );
}

const COMPLETION: Rule = {
  name: 'url completion',
  title: 'mcpmux tells a legacy client that a URL elicitation of a modern server is over.',
  apply: ({ direct, through }) => ({ direct, through: withoutNotification(through, 'elicitation/complete') }),
};

const LOG_LEVEL: Rule = {
  name: 'log level',
  title:
    'A modern server logs only for requests with a level: a legacy client gets messages once it has set one.',
  apply: ({ direct, through }) => ({ direct: withoutNotification(direct, 'message'), through }),
};

function withoutNotification(outcome: Outcome, name: string): Outcome {
  return outcome.filter((seen) => seen.kind !== 'notification' || seen.method !== `notifications/${name}`);
}

function inCells(rule: Rule, cells: readonly Cell[] = CELLS): CellRule {
  return { ...rule, cells };
}

/** Every rule that may explain a difference, in the order in which they apply. */
export const CELL_RULES: readonly CellRule[] = [
  inCells(INTRODUCTION),
  inCells(OWN_TOOLS),
  inCells(PREFIX),
  inCells(SERVER_NAME, [
    ...CROSSED,
    ...CELLS.filter(({ client, server }) => client === server && client === 'modern'),
  ]),
  inCells(ELICITATION_LABEL),
  inCells(SAMPLING_LABEL),
  inCells(LOGGER_LABEL),
  inCells(PROGRESS_TOKEN, OF_LEGACY),
  inCells(SEALED, MODERN_ON_LEGACY),
  inCells(ELICITATION_ID, OF_LEGACY),
  inCells(COMPLETION, LEGACY_ON_MODERN),
  inCells(LOG_LEVEL, LEGACY_ON_MODERN),
  inCells(REFUSAL),
];

/** What a client sees, with each question of a round shown as a request, as in the legacy era. */
export function withQuestions(outcome: Outcome): Outcome {
  return outcome.flatMap((seen): readonly Seen[] => {
    const asked = seen.kind === 'result' ? asObject(seen.result['inputRequests']) : undefined;
    if (seen.kind !== 'result' || asked === undefined) return [seen];
    const questions = Object.values(asked).map((one): Seen => {
      const { method, params } = asObject(one) ?? {};
      return { kind: 'request', method: asText(method), params: asObject(params) ?? {} };
    });
    return [...questions, { ...seen, result: { ...seen.result, inputRequests: Object.keys(asked) } }];
  });
}

/** The pair without the differences that these rules explain. */
export function explainedBy(rules: readonly Rule[], pair: Pair): Pair {
  return rules.reduce((left, rule) => rule.apply(left, SERVER), pair);
}
