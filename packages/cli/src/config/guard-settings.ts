import * as z from 'zod';

const wholeAbove0 = z
  .int({ error: 'expected a whole number' })
  .min(1, { error: 'expected a whole number above 0' });
const milliseconds = wholeAbove0.max(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' });
const patterns = z.array(z.string({ error: 'expected a text in double quotes' }), {
  error: 'expected a list of names or patterns: ["github", "docs-*"]',
});
const countedBy = z
  .array(z.enum(['principal', 'server', 'tool'], { error: 'expected principal, server or tool' }), {
    error: 'expected a list: ["principal", "server"]',
  })
  .min(1, { error: 'expected a list that is not empty' })
  .describe('Each combination of these is counted by itself.');

/** Whom and what a setting is for; all of it when absent. */
const TARGET = {
  roles: patterns.optional().describe('Whoever has one of these roles.'),
  principals: patterns
    .optional()
    .describe('These callers: "local" on stdio, "anybody" over HTTP without a token.'),
  servers: patterns.optional().describe('These servers; "mcpmux" for its own tools.'),
  tools: patterns.optional().describe('These tools, as their servers call them.'),
};

const accessRule = guarding({
  allow: z.boolean({ error: 'expected true or false' }).optional().describe('true when absent.'),
});

/** What stands between requests and servers. A key that is not known is an error: what is meant to guard must not be ignored. */
export const guardSettings = z
  .strictObject(
    {
      audit: z
        .boolean({ error: 'expected true or false' })
        .optional()
        .describe('true: each call is a line of the log.'),
      access: z
        .strictObject({
          rules: z
            .array(accessRule, { error: 'expected a list of rules' })
            .describe('The first that fits counts.'),
          otherwise: z
            .enum(['allow', 'deny'], { error: 'expected allow or deny' })
            .optional()
            .describe('What is decided where no rule fits; deny when absent.'),
        })
        .optional()
        .describe('Who sees and uses which servers and tools.'),
      rateLimit: oneOrMore(
        guarding({
          perSecond: z
            .number({ error: 'expected a number' })
            .positive({ error: 'expected a number above 0' }),
          burst: wholeAbove0.optional().describe('So many at once, after a pause.'),
          by: countedBy.optional(),
        }),
      ).describe('How often something may be called.'),
      concurrency: oneOrMore(
        guarding({
          max: wholeAbove0.describe('So many calls at the same time.'),
          maxWaiting: z
            .int({ error: 'expected a whole number' })
            .min(0)
            .optional()
            .describe('100 when absent.'),
          by: countedBy.optional(),
        }),
      ).describe('How many calls run at the same time; the others wait.'),
      cache: oneOrMore(
        guarding({
          ttlMs: milliseconds,
          maxBytes: wholeAbove0.optional().describe('16 MiB when absent.'),
        }),
      ).describe('How long results of tools with readOnlyHint are kept.'),
      timeouts: oneOrMore(guarding({ ms: milliseconds })).describe('How long a call may take in all.'),
      resultBytes: oneOrMore(guarding({ bytes: wholeAbove0 })).describe('How large an answer may be.'),
    },
    { error: unknownKeys('guards') },
  )
  .meta({ description: 'What stands between requests and servers.' });

/** The section `guards` of a config. */
export type GuardSettings = z.infer<typeof guardSettings>;

function guarding<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...TARGET, ...shape }, { error: unknownKeys('a guard') });
}

/** A list is for different targets. */
function oneOrMore<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.array(schema)]).optional();
}

/** The text for keys that nobody knows; whatever else is wrong has a text of its own. */
export function unknownKeys(what: string) {
  return (issue: { readonly code?: string | undefined; readonly keys?: readonly string[] }): string =>
    issue.code === 'unrecognized_keys'
      ? `${what} has no such setting: ${(issue.keys ?? []).join(', ')}`
      : `expected an object`;
}
