import * as z from 'zod';

import { MAX_CALL_TIMEOUT_MS, MAX_START_TIMEOUT_MS } from './add-input.js';
import type { OwnToolName } from './tool-definitions.js';

const name = z.string().min(1);
const instanceId = z.string().min(1).max(100);

/**
 * What the management tools accept. The JSON Schemas in `tool-definitions.ts` say the same and are what clients see;
 * they are written out so that listing tools does not load zod, and a test keeps the two equal.
 */
export const INPUT_SCHEMAS = {
  add_server: z.strictObject({
    name,
    command: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().min(1).optional(),
    inheritEnv: z.enum(['all', 'safe', 'none']).optional(),
    startTimeoutMs: z.int().min(1).max(MAX_START_TIMEOUT_MS).optional(),
    restart: z.enum(['never', 'on-failure', 'always']).optional(),
    callTimeoutMs: z.int().min(1).max(MAX_CALL_TIMEOUT_MS).optional(),
    url: z.string().min(1).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    transport: z.enum(['auto', 'http', 'sse']).optional(),
    persist: z.boolean().optional(),
  }),
  remove_server: z.strictObject({ name }),
  reload_server: z.strictObject({ name, approve: z.boolean().optional() }),
  list_servers: z.strictObject({}),
  call_tool: z.strictObject({ name, arguments: z.record(z.string(), z.unknown()).optional() }),
  search_tools: z.strictObject({
    query: z.string().min(1),
    detail: z.enum(['name', 'description', 'definition']).optional(),
    limit: z.int().min(1).max(100).optional(),
    server: name.optional(),
  }),
  server_logs: z.strictObject({ name, lines: z.int().min(1).max(500).optional() }),
  list_instances: z.strictObject({}),
  connect_instance: z.strictObject({ instance_id: instanceId, name: name.optional() }),
  disconnect_instance: z.strictObject({ instance_id: instanceId.optional() }),
} as const satisfies Record<OwnToolName, z.ZodType>;

/** The checked arguments of one management tool. */
export type OwnToolInput<Name extends OwnToolName> = z.infer<(typeof INPUT_SCHEMAS)[Name]>;

/** The arguments of a management tool, checked; or one line for each thing that is wrong, naming the field. */
export function parseInput<Input>(
  tool: OwnToolName,
  schema: z.ZodType<Input>,
  args: unknown,
): { readonly input: Input } | { readonly problem: string } {
  const parsed = schema.safeParse(args ?? {});
  if (parsed.success) return { input: parsed.data };
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  return { problem: `Invalid arguments for ${tool}: ${problems.join('; ')}` };
}
