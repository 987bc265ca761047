import * as z from 'zod';

import { guardSettings } from './guard-settings.js';
import { httpSettings } from './http-settings.js';
import { muxSettings } from './mux-settings.js';

const TRANSPORTS = [
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

const text = z.string({ error: 'expected a text in double quotes' });
const filled = text.min(1, { error: 'expected a text that is not empty' });
const flag = z.boolean({ error: 'expected true or false' });
const texts = z.record(z.string(), text, { error: 'expected an object of texts: { "NAME": "value" }' });
const url = filled.meta({ description: 'MCP endpoint of a server that runs elsewhere: http or https.' });

const tools = z.union([z.array(text), z.literal('*')], {
  error: 'expected a list of tools: ["find", "list_*"]',
});

/** One server, in the union of the formats that clients have. */
export const serverSchema = z
  .looseObject(
    {
      type: z
        .enum(TRANSPORTS, { error: `expected one of ${TRANSPORTS.join(', ')}` })
        .optional()
        .meta({ description: 'How it is reached; by default as "command" or "url" tell.' }),
      command: filled
        .optional()
        .meta({ description: 'A program on the PATH, or a path. No shell is involved.' }),
      args: z.array(text, { error: 'expected a list of texts: ["-y", "package"]' }).optional(),
      env: texts.optional().meta({ description: 'Merged over the environment of mcpmux.' }),
      envFile: filled.optional().meta({ description: 'A file of NAME=value lines; "env" wins over it.' }),
      cwd: filled.optional().meta({ description: 'Working directory of the process.' }),
      url: url.optional(),
      serverUrl: url.optional(),
      httpUrl: url.optional(),
      baseUrl: url.optional(),
      headers: texts.optional().meta({ description: 'Headers of every request to a url.' }),
      disabled: flag.optional().meta({ description: 'true: it is not started.' }),
      enabled: flag.optional().meta({ description: 'false: it is not started.' }),
      includeTools: tools.optional().meta({ description: 'Only these tools; "*" stands for any text.' }),
      enabledTools: tools.optional().meta({ description: 'The same.' }),
      tools: z.unknown().optional().meta({ description: 'The same, when it is a list.' }),
      excludeTools: tools.optional().meta({ description: 'Not these tools, also where they are included.' }),
      disabledTools: tools.optional().meta({ description: 'The same.' }),
      mux: muxSettings.optional(),
    },
    { error: 'expected an object' },
  )
  .refine(({ command, ...rest }) => command !== undefined || urlOf(rest) !== undefined, {
    error: 'expected "command" (a program to run) or "url" (where a server is)',
    // Without it, a missing command is not told when something else is wrong too.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .meta({ description: 'One MCP server.' });

/** One server as written, before anything is replaced in it. */
export type RawServer = z.infer<typeof serverSchema>;

const servers = z.record(z.string(), serverSchema, {
  error: 'expected an object of servers: { "name": { "command": "..." } }',
});

/** Names of servers, by profile. */
export const profilesSchema = z
  .record(z.string(), z.array(filled, { error: 'expected a list of servers: ["github", "docs"]' }), {
    error: 'expected an object of profiles: { "work": ["github", "docs"] }',
  })
  .meta({ description: 'Names of servers that mcpmux serve --profile starts.' });

/** A config file. */
export const configSchema = z
  .looseObject(
    {
      $schema: z.string().optional(),
      mcpServers: servers.optional().meta({ description: 'The servers, by name.' }),
      profiles: profilesSchema.optional(),
      guards: guardSettings.optional(),
      http: httpSettings.optional(),
      servers: servers.optional().meta({ description: 'The same, as VS Code names it.' }),
    },
    { error: 'expected an object: { "mcpServers": { ... } }' },
  )
  .meta({ title: 'Configuration of mcpmux' });

/** The address of a remote server, and what the client calls it. */
export function urlOf(
  server: Readonly<Partial<Record<UrlKey, unknown>>>,
): { readonly key: UrlKey; readonly url: unknown } | undefined {
  const key = URL_KEYS.find((candidate) => server[candidate] !== undefined);
  return key === undefined ? undefined : { key, url: server[key] };
}

/** The JSON Schema of a config file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
