import { z, type Checked } from '../base/zod.js';

const texts = z.record(z.string(), z.string());
const command = {
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
};
const plain = z.union([z.string(), z.number(), z.boolean()]);
const field = z.looseObject({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  required: z.optional(z.boolean()),
  default: z.optional(z.union([plain, z.array(plain)])),
  multiple: z.optional(z.boolean()),
  sensitive: z.optional(z.boolean()),
});

/** The parts of a manifest of MCPB 0.1 to 0.4 that mcpmux reads. */
const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  server: z.looseObject({
    type: z.enum(['node', 'python', 'binary', 'uv']),
    entry_point: z.optional(z.string()),
    mcp_config: z.optional(
      z.looseObject({
        ...command,
        platform_overrides: z.optional(z.record(z.string(), z.looseObject(command))),
      }),
    ),
  }),
  compatibility: z.optional(z.looseObject({ platforms: z.optional(z.array(z.string())) })),
  user_config: z.optional(z.record(z.string(), field)),
});

/** The manifest of a bundle. */
export type BundleManifest = Checked<typeof manifestSchema>;

/** A value that a person sets for the server of a bundle. */
export type BundleField = Checked<typeof field>;

/**
 * Reads the text of a `manifest.json`.
 *
 * @throws Error with a sentence about the problem
 */
export function readManifest(text: string): BundleManifest {
  const { data, error } = manifestSchema.safeParse(parsed(text));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error(`its manifest.json is wrong at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('its manifest.json is no JSON');
  }
}
