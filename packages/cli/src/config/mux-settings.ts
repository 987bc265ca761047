import * as z from 'zod';

import type { ProcessConfig } from '@mcpmux/core';

const CLIENT_REQUESTS = ['sampling', 'elicitation', 'roots'] as const;

const filled = z.string().min(1, { error: 'expected a text that is not empty' });
const milliseconds = z
  .int({ error: 'expected a whole number of milliseconds' })
  .min(1, { error: 'expected a whole number of milliseconds above 0' })
  .max(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' });

const toolSettings = z
  .looseObject(
    {
      name: filled.optional().describe('What clients see it called, without the name of its server.'),
      description: z
        .string({ error: 'expected a text in double quotes' })
        .optional()
        .describe('What clients read instead of its own description.'),
      hidden: z
        .boolean({ error: 'expected true or false' })
        .optional()
        .describe('true: it stands in no list, and search_tools finds it.'),
    },
    { error: 'expected an object: { "name": "...", "description": "...", "hidden": true }' },
  )
  .describe('How clients see a tool.');

/** How a server is run: what core calls the same. */
const RUN_SETTINGS = {
  inheritEnv: oneOf(['all', 'safe', 'none']).describe(
    'What of the environment of mcpmux it inherits; all when absent.',
  ),
  startTimeoutMs: milliseconds.describe('From the launch to the end of its first lists.'),
  lazy: z
    .boolean({ error: 'expected true or false' })
    .describe('true: not started before a request needs it, once it is known what it lists.'),
  idleTimeoutMs: milliseconds.describe(
    'Stopped when no request has used it for that long; the next one starts it again.',
  ),
  isolation: oneOf(['shared', 'session']).describe(
    'session: each session that uses it gets a run of its own; shared by all when absent.',
  ),
  callTimeoutMs: milliseconds.describe('A call is given up that long after its last sign of life.'),
  restart: oneOf(['never', 'on-failure', 'always']).describe(
    'Whether it is started again when it ends by itself; never when absent.',
  ),
  reload: oneOf(['restart', 'swap']).describe(
    'swap: the next run starts beside the one that serves, and takes over once it runs.',
  ),
  health: z
    .strictObject(
      {
        intervalMs: milliseconds,
        timeoutMs: milliseconds.optional(),
        failures: z.int().min(1).optional(),
        tool: filled
          .optional()
          .describe(
            'A tool of the server that is called instead of the ping. Its answer is the only sign of life then: intervalMs and timeoutMs must be above the longest work of the server.',
          ),
      },
      { error: 'expected an object: { "intervalMs": 30000 }' },
    )
    .describe(
      'Sends a ping after a silence of intervalMs, or calls a tool that often; after some without an answer it counts as crashed.',
    ),
  denyRequests: z
    .array(oneOf(CLIENT_REQUESTS), { error: 'expected a list: ["sampling"]' })
    .describe('What the server may not ask the client and its user for.'),
};

const clientCredentials = z
  .strictObject(
    { issuer: filled, clientId: filled, clientSecret: filled, scope: filled.exactOptional() },
    { error: 'expected { "issuer": "https://...", "clientId": "...", "clientSecret": "..." }' },
  )
  .describe('For a server at a url that wants a token: who mcpmux is at which authorization server.');

/** The settings of a server that only mcpmux knows. */
export const muxSettings = z
  .looseObject(
    {
      name: filled.optional().describe('The name that prefixes its tools; by default the key.'),
      tools: z
        .record(z.string(), toolSettings, {
          error: 'expected an object of tools: { "find": { "hidden": true } }',
        })
        .optional()
        .describe('How clients see tools, by the name that the server gives them, or by a pattern.'),
      clientCredentials: clientCredentials.optional(),
      imported: z
        .looseObject({ client: z.string(), keys: z.looseObject({}) })
        .optional()
        .describe('What only the client knows that it came from; given back by mcpmux export.'),
      required: z
        .boolean({ error: 'expected true or false' })
        .optional()
        .describe('true: mcpmux ends when it does not start.'),
      isPublic: z
        .boolean({ error: 'expected true or false' })
        .optional()
        .describe('true: the host name of the url must lead to the public internet.'),
      addedByAgent: z
        .boolean({ error: 'expected true or false' })
        .optional()
        .describe('true: kept for an agent by add_server; remove_server takes it out again.'),
      ...z.object(RUN_SETTINGS).partial().shape,
    },
    { error: 'expected an object' },
  )
  .meta({ description: 'What only mcpmux knows.' });

/** Settings that are for a program, all but `inheritEnv` for a server at a url as well. */
type RunSettings = Partial<Omit<ProcessConfig, 'command' | 'args' | 'env' | 'cwd' | 'url'>>;

/** What of these settings, which were checked, a server is run with. */
export function runSettings(settings: z.infer<typeof muxSettings> = {}): RunSettings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => Object.hasOwn(RUN_SETTINGS, key)));
}

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` });
}
