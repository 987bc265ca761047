import { z, type Checked, type Schema } from '../base/zod.js';
import { MAX_CALL_TIMEOUT_MS, MAX_START_TIMEOUT_MS } from './add-input.js';
import { MAX_QUERY_LENGTH, type OwnToolName } from './tool-definitions.js';

const filled = z.string().check(z.minLength(1));
const name = filled;
const instanceId = filled.check(z.maxLength(100));
const texts = z.record(z.string(), z.string());

function wholeUpTo(largest: number) {
  return z.int().check(z.minimum(1), z.maximum(largest));
}

/**
 * What the management tools accept. The JSON Schemas in `tool-definitions.ts` say the same and are what clients see;
 * they are written out so that listing tools does not load zod, and a test keeps the two equal.
 */
export const INPUT_SCHEMAS = {
  add_server: z.strictObject({
    name,
    command: z.optional(filled),
    args: z.optional(z.array(z.string())),
    env: z.optional(texts),
    cwd: z.optional(filled),
    inheritEnv: z.optional(z.enum(['all', 'safe', 'none'])),
    startTimeoutMs: z.optional(wholeUpTo(MAX_START_TIMEOUT_MS)),
    restart: z.optional(z.enum(['never', 'on-failure', 'always'])),
    callTimeoutMs: z.optional(wholeUpTo(MAX_CALL_TIMEOUT_MS)),
    url: z.optional(filled),
    headers: z.optional(texts),
    transport: z.optional(z.enum(['auto', 'http', 'sse'])),
    persist: z.optional(z.boolean()),
  }),
  remove_server: z.strictObject({ name }),
  reload_server: z.strictObject({ name, approve: z.optional(z.boolean()) }),
  list_servers: z.strictObject({}),
  call_tool: z.strictObject({ name, arguments: z.optional(z.record(z.string(), z.unknown())) }),
  search_tools: z.strictObject({
    query: filled.check(z.maxLength(MAX_QUERY_LENGTH)),
    detail: z.optional(z.enum(['name', 'description', 'definition'])),
    limit: z.optional(wholeUpTo(100)),
    server: z.optional(name),
  }),
  server_logs: z.strictObject({ name, lines: z.optional(wholeUpTo(500)) }),
  list_instances: z.strictObject({}),
  connect_instance: z.strictObject({ instance_id: instanceId, name: z.optional(name) }),
  disconnect_instance: z.strictObject({ instance_id: z.optional(instanceId) }),
} as const satisfies Record<OwnToolName, Schema>;

/** The checked arguments of one management tool. */
export type OwnToolInput<Name extends OwnToolName> = Checked<(typeof INPUT_SCHEMAS)[Name]>;

/** The arguments of a management tool, checked; or one line for each thing that is wrong, naming the field. */
export function parseInput<Input>(
  tool: OwnToolName,
  schema: Schema<Input>,
  args: unknown,
): { readonly input: Input } | { readonly problem: string } {
  const parsed = schema.safeParse(args ?? {});
  if (parsed.success) return { input: parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  return { problem: `Invalid arguments for ${tool}: ${problems.join('; ')}` };
}
