import { z, type Checked, type Schema } from '../base/zod.js';
import { flag, optional, text, unknownKeys } from './schema-parts.js';

const wholeAbove0 = z
  .int({ error: 'expected a whole number' })
  .check(z.minimum(1, { error: 'expected a whole number above 0' }));
const milliseconds = wholeAbove0.check(
  z.maximum(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' }),
);
const patterns = z.array(text, {
  error: 'expected a list of names or patterns: ["github", "docs-*"]',
});
const countedBy = z
  .array(z.enum(['principal', 'server', 'tool'], { error: 'expected principal, server or tool' }), {
    error: 'expected a list: ["principal", "server"]',
  })
  .check(
    z.minLength(1, { error: 'expected a list that is not empty' }),
    z.describe('Each combination of these is counted by itself.'),
  );

/** Whom and what a setting is for; all of it when absent. */
const TARGET = {
  roles: optional(patterns, 'Whoever has one of these roles.'),
  principals: optional(patterns, 'These callers: "local" on stdio, "anybody" over HTTP without a token.'),
  servers: optional(patterns, 'These servers; "mcpmux" for its own tools.'),
  tools: optional(patterns, 'These tools, as their servers call them.'),
};

const accessRule = guarding({
  allow: optional(flag, 'true when absent.'),
});

const access = z.strictObject({
  rules: z
    .array(accessRule, { error: 'expected a list of rules' })
    .check(z.describe('The first that fits counts.')),
  otherwise: optional(
    z.enum(['allow', 'deny'], { error: 'expected allow or deny' }),
    'What is decided where no rule fits; deny when absent.',
  ),
});

const rateLimit = guarding({
  perSecond: z
    .number({ error: 'expected a number' })
    .check(z.positive({ error: 'expected a number above 0' })),
  burst: optional(wholeAbove0, 'So many at once, after a pause.'),
  by: z.optional(countedBy),
});

const concurrency = guarding({
  max: wholeAbove0.check(z.describe('So many calls at the same time.')),
  maxWaiting: optional(z.int({ error: 'expected a whole number' }).check(z.minimum(0)), '100 when absent.'),
  by: z.optional(countedBy),
});

const cache = guarding({
  ttlMs: milliseconds,
  maxBytes: optional(wholeAbove0, '16 MiB when absent.'),
});

/** What stands between requests and servers. A key that is not known is an error: what is meant to guard must not be ignored. */
export const guardSettings = z
  .strictObject(
    {
      audit: optional(flag, 'true: each call is a line of the log.'),
      access: optional(access, 'Who sees and uses which servers and tools.'),
      rateLimit: oneOrMore(rateLimit, 'How often something may be called.'),
      concurrency: oneOrMore(concurrency, 'How many calls run at the same time; the others wait.'),
      cache: oneOrMore(cache, 'How long results of tools with readOnlyHint are kept.'),
      timeouts: oneOrMore(guarding({ ms: milliseconds }), 'How long a call may take in all.'),
      resultBytes: oneOrMore(guarding({ bytes: wholeAbove0 }), 'How large an answer may be.'),
    },
    { error: unknownKeys('guards') },
  )
  .check(z.describe('What stands between requests and servers.'));

/** The section `guards` of a config. */
export type GuardSettings = Checked<typeof guardSettings>;

function guarding<Shape extends Readonly<Record<string, Schema>>>(shape: Shape) {
  return z.strictObject({ ...TARGET, ...shape }, { error: unknownKeys('a guard') });
}

/** A list is for different targets. */
function oneOrMore<One extends Schema>(schema: One, description: string) {
  return optional(z.union([schema, z.array(schema)]), description);
}
