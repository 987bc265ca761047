import { z, type Checked, type Schema } from './zod.js';
import { flag, optional, text, unknownKeys } from './schema-parts.js';

const wholeAbove0 = z
  .int({ error: 'expected a whole number' })
  .check(z.minimum(1, { error: 'expected a whole number above 0' }));
const milliseconds = wholeAbove0.check(
  z.maximum(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' }),
);
const wholeFrom0 = z.int({ error: 'expected a whole number' }).check(z.minimum(0));
const patterns = z.array(text, {
  error: 'expected a list of names or patterns: ["github", "docs-*"]',
});
const countedBy = z
  .array(z.enum(['principal', 'server', 'tool'], { error: 'expected principal, server or tool' }), {
    error: 'expected a list: ["principal", "server"]',
  })
  .check(
    z.minLength(1, { error: 'expected a list that is not empty' }),
    z.describe('Each combination of these has a count of its own.'),
  );

/** The calls that a setting applies to. All calls if absent. */
const TARGET = {
  roles: optional(patterns, 'Callers that have one of these roles.'),
  principals: optional(patterns, 'These callers: "local" on stdio, "anybody" over HTTP without a token.'),
  servers: optional(patterns, 'These servers; "mcpmux" for its own tools.'),
  tools: optional(patterns, 'These tools, by their local names.'),
};

const accessRule = guarding({
  allow: optional(flag, 'true when absent.'),
});

const access = z.strictObject({
  rules: z
    .array(accessRule, { error: 'expected a list of rules' })
    .check(z.describe('The first rule that matches decides.')),
  otherwise: optional(
    z.enum(['allow', 'deny'], { error: 'expected allow or deny' }),
    'The decision when no rule matches; deny when absent.',
  ),
});

const rateLimit = guarding({
  perSecond: z
    .number({ error: 'expected a number' })
    .check(z.positive({ error: 'expected a number above 0' })),
  burst: optional(wholeAbove0, 'Calls that may come at once after a pause.'),
  by: z.optional(countedBy),
});

const concurrency = guarding({
  max: wholeAbove0.check(z.describe('Calls that run at the same time.')),
  maxWaiting: optional(wholeFrom0, 'Calls that may wait; 100 when absent.'),
  by: z.optional(countedBy),
});

const cache = guarding({
  ttlMs: milliseconds,
  maxBytes: optional(wholeAbove0, '16 MiB when absent.'),
});

const largeResults = guarding({
  tokens: optional(wholeAbove0, 'A result with longer texts is stored; 25000 tokens of 4 bytes when absent.'),
  clients: optional(z.record(z.string(), wholeAbove0), 'The same by the beginning of the name of a client.'),
  maxBytes: optional(wholeAbove0, 'All stored results together; 64 MiB when absent.'),
});

const GUARDS = [
  'audit',
  'access',
  'rateLimit',
  'concurrency',
  'cache',
  'timeouts',
  'resultBytes',
  'largeResults',
];

/** Checks and limits between requests and servers. An unknown key is an error, because an ignored guard does nothing. */
export const guardSettings = z
  .strictObject(
    {
      audit: optional(flag, 'true: the log gets a line for each call.'),
      access: optional(access, 'Which callers can use which servers and tools.'),
      rateLimit: oneOrMore(rateLimit, 'How often tools may be called.'),
      concurrency: oneOrMore(concurrency, 'How many calls run at the same time; the others wait.'),
      cache: oneOrMore(cache, 'How long results of tools with readOnlyHint are cached.'),
      timeouts: oneOrMore(guarding({ ms: milliseconds }), 'How long a call may take in all.'),
      resultBytes: oneOrMore(guarding({ bytes: wholeAbove0 }), 'How large a result may be.'),
      largeResults: oneOrMore(largeResults, 'Longer results are stored and read in pages.'),
    },
    { error: unknownKeys('guards', GUARDS) },
  )
  .check(z.describe('Checks and limits between requests and servers.'));

/** The section `guards` of a config. */
export type GuardSettings = Checked<typeof guardSettings>;

function guarding<Shape extends Readonly<Record<string, Schema>>>(shape: Shape) {
  const settings = { ...TARGET, ...shape };
  return z.strictObject(settings, { error: unknownKeys('a guard', Object.keys(settings)) });
}

/** Returns the schema for one setting, or a list of settings for different targets. */
function oneOrMore<One extends Schema>(schema: One, description: string) {
  return optional(z.union([schema, z.array(schema)]), description);
}
