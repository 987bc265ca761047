import type { ProcessConfig } from '@mcpmux/core';

import { z, type Checked } from '../base/zod.js';
import { filled, flag, optional, text } from './schema-parts.js';

const CLIENT_REQUESTS = ['sampling', 'elicitation', 'roots'] as const;

const milliseconds = z
  .int({ error: 'expected a whole number of milliseconds' })
  .check(
    z.minimum(1, { error: 'expected a whole number of milliseconds above 0' }),
    z.maximum(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' }),
  );

/** How clients see a tool. */
export const toolSettings = z
  .looseObject(
    {
      name: optional(filled, 'What clients see it called, without the name of its server.'),
      description: optional(text, 'What clients read instead of its own description.'),
      hidden: optional(flag, 'true: it stands in no list, and search_tools finds it.'),
    },
    { error: 'expected an object: { "name": "...", "description": "...", "hidden": true }' },
  )
  .check(z.describe('How clients see a tool.'));

const health = z.strictObject(
  {
    intervalMs: milliseconds,
    timeoutMs: z.optional(milliseconds),
    failures: z.optional(z.int().check(z.minimum(1))),
    tool: optional(
      filled,
      'A tool of the server that is called instead of the ping. Its answer is the only sign of life then: intervalMs and timeoutMs must be above the longest work of the server.',
    ),
  },
  { error: 'expected an object: { "intervalMs": 30000 }' },
);

/** How a server is run: what core calls the same. */
const RUN_SETTINGS = {
  inheritEnv: optional(
    oneOf(['all', 'safe', 'none']),
    'What of the environment of mcpmux it inherits; all when absent.',
  ),
  startTimeoutMs: optional(milliseconds, 'From the launch to the end of its first lists.'),
  lazy: optional(flag, 'true: not started before a request needs it, once it is known what it lists.'),
  idleTimeoutMs: optional(
    milliseconds,
    'Stopped when no request has used it for that long; the next one starts it again.',
  ),
  isolation: optional(
    oneOf(['shared', 'session']),
    'session: each session that uses it gets a run of its own; shared by all when absent.',
  ),
  callTimeoutMs: optional(milliseconds, 'A call is given up that long after its last sign of life.'),
  restart: optional(
    oneOf(['never', 'on-failure', 'always']),
    'Whether it is started again when it ends by itself; never when absent.',
  ),
  reload: optional(
    oneOf(['restart', 'swap']),
    'swap: the next run starts beside the one that serves, and takes over once it runs.',
  ),
  health: optional(
    health,
    'Sends a ping after a silence of intervalMs, or calls a tool that often; after some without an answer it counts as crashed.',
  ),
  denyRequests: optional(
    z.array(oneOf(CLIENT_REQUESTS), { error: 'expected a list: ["sampling"]' }),
    'What the server may not ask the client and its user for.',
  ),
};

const clientCredentials = z
  .strictObject(
    { issuer: filled, clientId: filled, clientSecret: filled, scope: z.exactOptional(filled) },
    { error: 'expected { "issuer": "https://...", "clientId": "...", "clientSecret": "..." }' },
  )
  .check(
    z.describe('For a server at a url that wants a token: who mcpmux is at which authorization server.'),
  );

/** The settings of a server that only mcpmux knows. */
export const muxSettings = z
  .looseObject(
    {
      name: optional(filled, 'The name that prefixes its tools; by default the key.'),
      tools: optional(
        z.record(z.string(), toolSettings, {
          error: 'expected an object of tools: { "find": { "hidden": true } }',
        }),
        'How clients see tools, by the name that the server gives them, or by a pattern.',
      ),
      clientCredentials: z.optional(clientCredentials),
      imported: optional(
        z.looseObject({ client: z.string(), keys: z.looseObject({}) }),
        'What only the client knows that it came from; given back by mcpmux export.',
      ),
      required: optional(flag, 'true: mcpmux ends when it does not start.'),
      isPublic: optional(flag, 'true: the host name of the url must lead to the public internet.'),
      addedByAgent: optional(
        flag,
        'true: kept for an agent by add_server; remove_server takes it out again.',
      ),
      ...RUN_SETTINGS,
    },
    { error: 'expected an object' },
  )
  .check(z.describe('What only mcpmux knows.'));

/** Settings that are for a program, all but `inheritEnv` for a server at a url as well. */
type RunSettings = Partial<Omit<ProcessConfig, 'command' | 'args' | 'env' | 'cwd' | 'url'>>;

/** What of these settings, which were checked, a server is run with. */
export function runSettings(settings: Checked<typeof muxSettings> = {}): RunSettings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => Object.hasOwn(RUN_SETTINGS, key)));
}

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` });
}
