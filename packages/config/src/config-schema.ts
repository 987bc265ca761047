import { z, type Checked } from './zod.js';
import { clusterSettings } from './cluster-settings.js';
import { codeModeSettings } from './code-mode-settings.js';
import { exposureSettings } from './exposure-settings.js';
import { guardSettings } from './guard-settings.js';
import { historySettings } from './history-settings.js';
import { httpSettings } from './http-settings.js';
import { muxSettings } from './mux-settings.js';
import { sandboxChoice, sandboxWhereEnabled } from './sandbox-settings.js';
import { flag, optional, text } from './schema-parts.js';
import { sharedEnvironment } from './shared-environment.js';

const TRANSPORT_TYPES = [
  'stdio',
  'local',
  'http',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
  'sse',
  'remote',
] as const;

const URL_KEYS = ['url', 'serverUrl', 'httpUrl', 'baseUrl'] as const;
type UrlKey = (typeof URL_KEYS)[number];

const nonEmpty = text.check(z.minLength(1, { error: 'expected a string that is not empty' }));
const stringRecord = z.record(z.string(), text, {
  error: 'expected an object whose values are strings: { "NAME": "value" }',
});
const url = nonEmpty.check(z.describe('MCP endpoint of a server that runs elsewhere: http or https.'));

const tools = z.union([z.array(text), z.literal('*')], {
  error: 'expected a list of tools: ["find", "list_*"]',
});

/** The schema of a server entry. Accepts the keys of every client's config format. */
export const serverSchema = z
  .looseObject(
    {
      type: optional(
        z.enum(TRANSPORT_TYPES, { error: `expected one of ${TRANSPORT_TYPES.join(', ')}` }),
        'The transport; by default "command" or "url" decides.',
      ),
      command: optional(nonEmpty, 'A program on the PATH, or a path. No shell is involved.'),
      args: z.optional(z.array(text, { error: 'expected an array of strings: ["-y", "package"]' })),
      env: optional(stringRecord, 'Variables, merged over the environment of mcpmux.'),
      envFile: optional(nonEmpty, 'A file of NAME=value lines; "env" wins over it.'),
      cwd: optional(nonEmpty, 'The working directory of the process.'),
      url: z.optional(url),
      serverUrl: z.optional(url),
      httpUrl: z.optional(url),
      baseUrl: z.optional(url),
      headers: optional(stringRecord, 'Headers of every request to a url.'),
      disabled: optional(flag, 'true: the server is not started.'),
      enabled: optional(flag, 'false: the server is not started.'),
      includeTools: optional(tools, 'Only these tools; "*" stands for any text.'),
      enabledTools: optional(tools, 'The same as includeTools.'),
      tools: optional(z.unknown(), 'The same as includeTools, when it is a list.'),
      excludeTools: optional(tools, 'Not these tools, even if includeTools has them.'),
      disabledTools: optional(tools, 'The same as excludeTools.'),
      sandbox: z.optional(sandboxChoice),
      sandboxEnabled: optional(flag, 'true: the server is confined, as by "sandbox": true.'),
      mux: z.optional(muxSettings),
    },
    { error: 'expected an object' },
  )
  .check(
    z.refine(({ command, ...rest }) => command !== undefined || urlSetting(rest) !== undefined, {
      error: 'expected "command" (a program to run) or "url" (where a server is)',
      // Without `when`, zod would skip this check if the entry has another fault.
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
    z.describe('One MCP server.'),
  );

/** A server entry before its placeholders are replaced. */
export type RawServer = Checked<typeof serverSchema>;

const servers = z.record(z.string(), serverSchema, {
  error: 'expected an object of servers: { "name": { "command": "..." } }',
});

/** The schema of `profiles`, which maps each profile to a list of server names. */
export const profilesSchema = z
  .record(z.string(), z.array(nonEmpty, { error: 'expected a list of servers: ["github", "docs"]' }), {
    error: 'expected an object of profiles: { "work": ["github", "docs"] }',
  })
  .check(z.describe('Names of servers that mcpmux serve --profile starts.'));

/** The schema of a config file. */
export const configSchema = z
  .looseObject(
    {
      $schema: z.optional(z.string()),
      mcpServers: optional(servers, 'The servers, by name.'),
      profiles: z.optional(profilesSchema),
      guards: z.optional(guardSettings),
      http: z.optional(httpSettings),
      cluster: z.optional(clusterSettings),
      mux: optional(
        z.looseObject(
          {
            shared: optional(flag, 'true: the same as serve --shared.'),
            sharedEnvironment: optional(
              sharedEnvironment,
              'With shared: which variables windows need not have in common, or must have. A name may end with "*".',
            ),
            exposure: optional(
              exposureSettings,
              'Which tools stand in the tools/list of clients; all when absent.',
            ),
            sandbox: optional(sandboxChoice, 'The sandbox of all servers whose entry has none of its own.'),
            lazy: optional(
              flag,
              'true: every server starts when a request needs it. An entry with mux.lazy or mux.required decides itself.',
            ),
            codeMode: optional(
              codeModeSettings,
              'true: clients get run_code, which runs code that calls tools, in a sandbox.',
            ),
            history: optional(historySettings, 'true: tool calls are stored for mcpmux history.'),
          },
          { error: 'expected an object: { "shared": true }' },
        ),
        'Settings of mcpmux itself.',
      ),
      servers: optional(servers, 'The same as mcpServers, under the key of VS Code.'),
      sandbox: optional(sandboxWhereEnabled, 'What the servers with "sandboxEnabled" may do, as in VS Code.'),
    },
    { error: 'expected an object: { "mcpServers": { ... } }' },
  )
  .check(z.meta({ title: 'Configuration of mcpmux' }));

/** Returns a remote server's URL and its key in the entry, such as `serverUrl`. */
export function urlSetting(
  server: Readonly<Partial<Record<UrlKey, unknown>>>,
): { readonly key: UrlKey; readonly url: unknown } | undefined {
  const key = URL_KEYS.find((candidate) => server[candidate] !== undefined);
  return key === undefined ? undefined : { key, url: server[key] };
}
