import type { Outcome } from '../outcome.js';
import { asText, mapOutcomeStrings } from './json.js';
import type { Rule } from './rule.js';

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>'],
  [/\d{1,2}:\d{2}:\d{2}(?:\s?[AP]M)?/g, '<time>'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<uuid>'],
];
const RANDOM_LEVEL = /^\w+(?:-level message| level-message)$/;
const RANDOM_ID = /^(?:mux1:\w+:)?[\da-f]{32}$/;

/** Times, random ids and random choices of the server. */
export const CHANCE: Rule = {
  name: 'chance',
  title: 'Times, random ids and random choices of the server differ from run to run.',
  isChance: true,
  apply: ({ direct, through }) => ({ direct: withoutChance(direct), through: withoutChance(through) }),
};

function withoutChance(outcome: Outcome): Outcome {
  return mapOutcomeStrings(withoutRandomLevels(outcome), (text, key) => {
    if (key === 'blob') return replaced(Buffer.from(text, 'base64').toString('latin1'));
    if (key === 'taskId' && RANDOM_ID.test(text)) return text.replace(/[\da-f]{32}$/, '<id>');
    return replaced(text);
  });
}

function replaced(text: string): string {
  return PATTERNS.reduce((left, [pattern, word]) => left.replace(pattern, word), text);
}

/** server-everything picks one of its log messages by chance. */
function withoutRandomLevels(outcome: Outcome): Outcome {
  return outcome.map((seen) => {
    if (seen.kind !== 'notification' || !RANDOM_LEVEL.test(asText(seen.params['data']))) return seen;
    return { ...seen, params: { ...seen.params, level: '<level>', data: '<message>' } };
  });
}
