import type { ProcessConfig } from '@mcpmux/core';

import { z, type Checked } from './zod.js';
import { placementSettings } from './cluster-settings.js';
import { serverExposureSchema } from './exposure-settings.js';
import { sandboxChoice } from './sandbox-settings.js';
import { nonEmpty, flag, optional, text } from './schema-parts.js';

const CLIENT_REQUESTS = ['sampling', 'elicitation', 'roots'] as const;

const milliseconds = z
  .int({ error: 'expected a whole number of milliseconds' })
  .check(
    z.minimum(1, { error: 'expected a whole number of milliseconds above 0' }),
    z.maximum(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' }),
  );

const argumentSchema = z
  .strictObject(
    {
      value: optional(z.unknown(), 'The value in every call; clients do not see the argument.'),
      default: optional(z.unknown(), 'The value in calls without the argument.'),
      hidden: optional(flag, 'true: no call has the argument, and clients do not see it.'),
    },
    { error: 'expected { "value": ... }, { "default": ... } or { "hidden": true }' },
  )
  .check(
    z.refine((shape) => Object.keys(shape).length === 1 && shape.hidden !== false, {
      error: 'expected one of "value", "default" and "hidden": true',
    }),
  );

/** The schema of the settings that change how clients see a tool. */
export const toolSettingsSchema = z
  .looseObject(
    {
      name: optional(nonEmpty, 'The name of the tool for clients, without the name of its server.'),
      description: optional(text, 'The description for clients instead of that of the server.'),
      hidden: optional(flag, 'true: the tool is in no list, but search_tools finds it.'),
      loading: optional(
        oneOf(['always', 'deferred']),
        'Tells clients that load definitions on demand when to load this one.',
      ),
      arguments: optional(
        z.record(z.string(), argumentSchema, {
          error: 'expected an object of arguments: { "repo": { "value": "x" } }',
        }),
        'Arguments that clients cannot set, or that have a default, by name.',
      ),
      result: optional(
        oneOf(['content', 'structuredContent']),
        'The one of the two that clients get where both say the same.',
      ),
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
      nonEmpty,
      'A tool of the server that mcpmux calls instead of a ping. Only the answer of the tool counts then: intervalMs and timeoutMs must be above the longest work of the server.',
    ),
  },
  { error: 'expected an object: { "intervalMs": 30000 }' },
);

/** The schemas of the settings of a server run. Their names are the same in core. */
const RUN_SETTINGS = {
  addedByAgent: optional(
    flag,
    'true: add_server saved the server for an agent, and remove_server may delete it.',
  ),
  inheritEnv: optional(
    oneOf(['all', 'safe', 'none']),
    'Which variables of mcpmux the server inherits; all when absent.',
  ),
  startTimeoutMs: optional(milliseconds, 'The time from the launch to the end of the first lists.'),
  lazy: optional(flag, 'true: once its lists are known, the server starts when a request needs it.'),
  idleTimeoutMs: optional(
    milliseconds,
    'Stops the server after this time without requests. The next request starts it again.',
  ),
  isolation: optional(
    oneOf(['shared', 'session']),
    'session: each session gets a run of its own. Absent, or shared: one run for all.',
  ),
  callTimeoutMs: optional(milliseconds, 'A call is given up after this time without an answer or progress.'),
  restart: optional(
    oneOf(['never', 'on-failure', 'always']),
    'When the server is restarted after it has ended by itself; never when absent.',
  ),
  reload: optional(
    oneOf(['restart', 'swap']),
    'swap: the next run starts beside the current one, and replaces it once it runs.',
  ),
  health: optional(
    health,
    'Sends a ping after a silence of intervalMs, or calls a tool that often. A server that leaves several without an answer counts as crashed.',
  ),
  protocol: optional(
    oneOf(['auto', 'legacy', 'modern']),
    'The era of the protocol: legacy up to 2025-11-25, modern from 2026-07-28 on. Absent, or auto: mcpmux finds out.',
  ),
  denyRequests: optional(
    z.array(oneOf(CLIENT_REQUESTS), { error: 'expected a list: ["sampling"]' }),
    'Requests that the server may not send to the client.',
  ),
};

const identity = z.strictObject(
  { issuer: nonEmpty, clientId: nonEmpty, clientSecret: z.exactOptional(nonEmpty), idToken: nonEmpty },
  { error: 'expected { "issuer": "https://...", "clientId": "...", "idToken": "..." }' },
);

const clientCredentials = z
  .strictObject(
    {
      issuer: nonEmpty,
      clientId: nonEmpty,
      clientSecret: z.exactOptional(nonEmpty),
      privateKey: optional(nonEmpty, 'A private key in place of the secret: PEM, or a JWK as JSON.'),
      algorithm: optional(nonEmpty, 'The algorithm of its signatures; by the kind of the key when absent.'),
      identity: optional(identity, 'The identity provider that gives grants for the server (ID-JAG).'),
      scope: z.exactOptional(nonEmpty),
    },
    { error: 'expected { "issuer": "https://...", "clientId": "...", "clientSecret": "..." }' },
  )
  .check(
    z.refine(({ clientSecret, privateKey }) => (clientSecret === undefined) !== (privateKey === undefined), {
      error: 'expected either clientSecret or privateKey',
    }),
    z.refine(({ identity: provider, clientSecret }) => provider === undefined || clientSecret !== undefined, {
      error: 'identity needs clientSecret',
    }),
  )
  .check(z.describe('For a server at a url that requires a token: the OAuth client of mcpmux.'));

/** The schema of `mux` in a server entry: the settings that only mcpmux reads. */
export const muxSettings = z
  .looseObject(
    {
      name: optional(nonEmpty, 'The name that prefixes its tools; by default the key.'),
      tools: optional(
        z.record(z.string(), toolSettingsSchema, {
          error: 'expected an object of tools: { "find": { "hidden": true } }',
        }),
        'How clients see tools, by local name or by pattern.',
      ),
      exposure: optional(
        serverExposureSchema,
        'Which of its tools stand in tools/list; the setting of the top when absent.',
      ),
      clientCredentials: z.optional(clientCredentials),
      imported: optional(
        z.looseObject({ client: z.string(), keys: z.looseObject({}) }),
        'Settings that only the original client has; mcpmux export restores them.',
      ),
      sandbox: optional(sandboxChoice, 'The same as sandbox in the entry.'),
      required: optional(flag, 'true: mcpmux ends when the server does not start.'),
      shared: optional(
        flag,
        'With --shared: true runs the server once for the windows of all folders, false runs it for each window.',
      ),
      cluster: optional(
        placementSettings,
        'Where the server runs in a cluster. false: on each node that has it in its config.',
      ),
      publicOnly: optional(flag, 'true: the host name of the url must lead to the public internet.'),
      ...RUN_SETTINGS,
    },
    { error: 'expected an object' },
  )
  .check(z.describe('Settings that only mcpmux has.'));

/** The settings of a program. All except `inheritEnv` also apply to a server at a URL. */
type RunSettings = Partial<Omit<ProcessConfig, 'command' | 'args' | 'env' | 'cwd' | 'url'>>;

/** Returns those of a server's checked `mux` settings that apply to a server run. */
export function runSettings(settings: Checked<typeof muxSettings> = {}): RunSettings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => Object.hasOwn(RUN_SETTINGS, key)));
}

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected one of ${values.join(', ')}` });
}
