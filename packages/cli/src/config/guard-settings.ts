import { z, type Checked, type Schema } from '../base/zod.js';

const wholeAbove0 = z
  .int({ error: 'expected a whole number' })
  .check(z.minimum(1, { error: 'expected a whole number above 0' }));
const milliseconds = wholeAbove0.check(
  z.maximum(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' }),
);
const patterns = z.array(z.string({ error: 'expected a text in double quotes' }), {
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
  roles: z.optional(patterns).check(z.describe('Whoever has one of these roles.')),
  principals: z
    .optional(patterns)
    .check(z.describe('These callers: "local" on stdio, "anybody" over HTTP without a token.')),
  servers: z.optional(patterns).check(z.describe('These servers; "mcpmux" for its own tools.')),
  tools: z.optional(patterns).check(z.describe('These tools, as their servers call them.')),
};

const accessRule = guarding({
  allow: z.optional(z.boolean({ error: 'expected true or false' })).check(z.describe('true when absent.')),
});

const access = z.strictObject({
  rules: z
    .array(accessRule, { error: 'expected a list of rules' })
    .check(z.describe('The first that fits counts.')),
  otherwise: z
    .optional(z.enum(['allow', 'deny'], { error: 'expected allow or deny' }))
    .check(z.describe('What is decided where no rule fits; deny when absent.')),
});

const rateLimit = guarding({
  perSecond: z
    .number({ error: 'expected a number' })
    .check(z.positive({ error: 'expected a number above 0' })),
  burst: z.optional(wholeAbove0).check(z.describe('So many at once, after a pause.')),
  by: z.optional(countedBy),
});

const concurrency = guarding({
  max: wholeAbove0.check(z.describe('So many calls at the same time.')),
  maxWaiting: z
    .optional(z.int({ error: 'expected a whole number' }).check(z.minimum(0)))
    .check(z.describe('100 when absent.')),
  by: z.optional(countedBy),
});

const cache = guarding({
  ttlMs: milliseconds,
  maxBytes: z.optional(wholeAbove0).check(z.describe('16 MiB when absent.')),
});

/** What stands between requests and servers. A key that is not known is an error: what is meant to guard must not be ignored. */
export const guardSettings = z
  .strictObject(
    {
      audit: z
        .optional(z.boolean({ error: 'expected true or false' }))
        .check(z.describe('true: each call is a line of the log.')),
      access: z.optional(access).check(z.describe('Who sees and uses which servers and tools.')),
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
  return z.optional(z.union([schema, z.array(schema)])).check(z.describe(description));
}

/** The text for keys that nobody knows; whatever else is wrong has a text of its own. */
export function unknownKeys(what: string) {
  return (issue: { readonly code?: string | undefined; readonly keys?: readonly string[] }): string =>
    issue.code === 'unrecognized_keys'
      ? `${what} has no such setting: ${(issue.keys ?? []).join(', ')}`
      : `expected an object`;
}
