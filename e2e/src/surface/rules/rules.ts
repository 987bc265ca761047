import type { Pair } from '../outcome.js';
import { CHANCE } from './chance.js';
import { CAPABILITIES, INSTRUCTIONS, LATE_EXTENSIONS, SERVER_INFO } from './handshake-rules.js';
import { ENVIRONMENT, PROGRESS_TOKEN, REQUEST_IDS, TASK_IDS } from './id-rules.js';
import { MERGED_LISTS, ONE_PAGE, OWN_TOOLS, PREFIX } from './list-rules.js';
import { ELICITATION_LABEL, LOGGER_LABEL, SAMPLING_LABEL } from './origin-rules.js';
import { CACHED_ROOTS, LOCAL_PING, REFUSAL } from './own-answer-rules.js';
import type { Rule } from './rule.js';

/** Every rule that may explain a difference, in the order in which they apply. */
export const RULES = {
  capabilities: CAPABILITIES,
  'late extensions': LATE_EXTENSIONS,
  'server info': SERVER_INFO,
  instructions: INSTRUCTIONS,
  'own tools': OWN_TOOLS,
  prefix: PREFIX,
  'merged lists': MERGED_LISTS,
  'one page': ONE_PAGE,
  'elicitation label': ELICITATION_LABEL,
  'sampling label': SAMPLING_LABEL,
  'logger label': LOGGER_LABEL,
  'task ids': TASK_IDS,
  'request ids': REQUEST_IDS,
  'progress token': PROGRESS_TOKEN,
  environment: ENVIRONMENT,
  refusal: REFUSAL,
  'local ping': LOCAL_PING,
  'cached roots': CACHED_ROOTS,
  chance: CHANCE,
} as const satisfies Readonly<Record<string, Rule>>;

/** The name of a rule. */
export type RuleName = keyof typeof RULES;

/** The pair without the differences that these rules explain. */
export function explained(pair: Pair, names: readonly RuleName[], server: string): Pair {
  const wanted = Object.values<Rule>(RULES).filter(({ name }) => (names as readonly string[]).includes(name));
  return wanted.reduce((left, rule) => rule.apply(left, server), pair);
}
