import * as z from 'zod';

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

const text = z.string({ error: 'expected a text in double quotes' });
const filled = text.min(1, { error: 'expected a text that is not empty' });
const flag = z.boolean({ error: 'expected true or false' });
const texts = z.record(z.string(), text, { error: 'expected an object of texts: { "NAME": "value" }' });
const url = filled.meta({ description: 'Address of a server that runs elsewhere: not supported yet.' });

const tools = z.union([z.array(text), z.literal('*')], {
  error: 'expected a list of tools: ["find", "list_*"]',
});

const toolSettings = z
  .looseObject(
    {
      name: filled
        .optional()
        .meta({ description: 'What clients see it called, without the name of its server.' }),
      description: text.optional().meta({ description: 'What clients read instead of its own description.' }),
      hidden: flag.optional().meta({ description: 'true: it stands in no list, and search_tools finds it.' }),
    },
    { error: 'expected an object: { "name": "...", "description": "...", "hidden": true }' },
  )
  .meta({ description: 'How clients see a tool.' });

const RESTARTS = ['never', 'on-failure', 'always'] as const;
/** Timers of Node.js take no more than 2^31 ms. */
const seconds = z
  .number({ error: 'expected a number of seconds' })
  .positive({ error: 'expected a number of seconds above 0' })
  .max(2_000_000, { error: 'expected at most 2000000 seconds' });

const muxSettings = z
  .looseObject(
    {
      name: filled.optional().meta({ description: 'The name that prefixes its tools; by default the key.' }),
      required: flag.optional().meta({ description: 'true: mcpmux ends when it does not start.' }),
      startTimeout: seconds.optional().meta({ description: 'How long its start may take, in seconds.' }),
      callTimeout: seconds
        .optional()
        .meta({ description: 'A call is given up that long after its last sign of life, in seconds.' }),
      restart: z
        .enum(RESTARTS, { error: `expected one of ${RESTARTS.join(', ')}` })
        .optional()
        .meta({ description: 'Whether it is started again when it ends by itself; by default never.' }),
      tools: z
        .record(z.string(), toolSettings, {
          error: 'expected an object of tools: { "find": { "hidden": true } }',
        })
        .optional()
        .meta({
          description: 'How clients see tools, by the name that the server gives them, or by a pattern.',
        }),
      imported: z
        .looseObject({ client: z.string(), keys: z.looseObject({}) })
        .optional()
        .meta({ description: 'What only the client knows that it came from; given back by mcpmux export.' }),
    },
    { error: 'expected an object' },
  )
  .meta({ description: 'What only mcpmux knows.' });

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
      servers: servers.optional().meta({ description: 'The same, as VS Code names it.' }),
    },
    { error: 'expected an object: { "mcpServers": { ... } }' },
  )
  .meta({ title: 'Configuration of mcpmux' });

/** The address of a remote server, whatever the client calls it. */
export function urlOf(
  server: Readonly<Partial<Record<'url' | 'serverUrl' | 'httpUrl' | 'baseUrl', unknown>>>,
): unknown {
  return server.url ?? server.serverUrl ?? server.httpUrl ?? server.baseUrl;
}

/** The JSON Schema of a config file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input' });
}
