import { z, type Checked } from '../base/zod.js';

const stringMapSchema = z.record(z.string(), z.string());
const command = {
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  env: z.optional(stringMapSchema),
};
const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
const fieldSchema = z.looseObject({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  required: z.optional(z.boolean()),
  default: z.optional(z.union([scalarSchema, z.array(scalarSchema)])),
  multiple: z.optional(z.boolean()),
  sensitive: z.optional(z.boolean()),
});

/** The parts of an MCPB manifest, versions 0.1 to 0.4, that mcpmux reads. */
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
  user_config: z.optional(z.record(z.string(), fieldSchema)),
});

/** A bundle's validated `manifest.json`. */
export type BundleManifest = Checked<typeof manifestSchema>;

/** A field of `user_config`: a setting of the bundle's server that the user can enter. */
export type BundleField = Checked<typeof fieldSchema>;

/**
 * Parses and validates the text of a `manifest.json`.
 *
 * @throws Error that describes the problem
 */
export function readManifest(text: string): BundleManifest {
  const { data, error } = manifestSchema.safeParse(parseManifestJson(text));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new Error(`its manifest.json is wrong at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`);
}

function parseManifestJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('its manifest.json is no JSON');
  }
}
