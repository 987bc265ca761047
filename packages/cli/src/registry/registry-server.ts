import { z, type Checked } from '../base/zod.js';

const optionalText = z.optional(z.string());
const variableSchema = z.looseObject({
  description: optionalText,
  isRequired: z.optional(z.boolean()),
  isSecret: z.optional(z.boolean()),
  value: optionalText,
  default: optionalText,
  // An invalid hint does not make the whole server entry invalid, because hints are optional.
  placeholder: z.orElse(optionalText, undefined),
  format: z.orElse(optionalText, undefined),
  choices: z.orElse(z.optional(z.array(z.string())), undefined),
});
const inputSchema = z.looseObject({
  ...variableSchema.shape,
  variables: z.optional(z.record(z.string(), variableSchema)),
});
const namedInputSchema = z.looseObject({ ...inputSchema.shape, name: z.string() });
const argumentSchema = z.looseObject({
  ...inputSchema.shape,
  type: optionalText,
  name: optionalText,
  valueHint: optionalText,
  isRepeated: z.orElse(z.optional(z.boolean()), undefined),
});
const packageSchema = z.looseObject({
  registryType: z.string(),
  identifier: z.string(),
  version: optionalText,
  registryBaseUrl: optionalText,
  runtimeHint: optionalText,
  fileSha256: optionalText,
  transport: z.optional(z.looseObject({ type: z.string() })),
  runtimeArguments: z.optional(z.array(argumentSchema)),
  packageArguments: z.optional(z.array(argumentSchema)),
  environmentVariables: z.optional(z.array(namedInputSchema)),
});
const remoteSchema = z.looseObject({
  type: z.string(),
  url: z.string(),
  headers: z.optional(z.array(namedInputSchema)),
  variables: z.optional(z.record(z.string(), variableSchema)),
});
const serverSchema = z.looseObject({
  name: z.string(),
  title: optionalText,
  description: z.default(z.string(), ''),
  version: z.default(z.string(), ''),
  packages: z.default(z.array(packageSchema), []),
  remotes: z.default(z.array(remoteSchema), []),
});
const OFFICIAL_META_KEY = 'io.modelcontextprotocol.registry/official';
const officialMetaSchema = z.looseObject({
  status: optionalText,
  statusMessage: optionalText,
  isLatest: z.optional(z.boolean()),
});
const entrySchema = z.looseObject({
  server: serverSchema,
  _meta: z.optional(z.looseObject({ [OFFICIAL_META_KEY]: z.optional(officialMetaSchema) })),
});
const pageSchema = z.looseObject({
  servers: z.array(z.unknown()),
  metadata: z.optional(z.looseObject({ nextCursor: optionalText })),
});

/** A package that contains a server, as the registry describes it. */
export type RegistryPackage = Checked<typeof packageSchema>;
/** A remote server's URL and headers, as the registry describes them. */
export type RegistryRemote = Checked<typeof remoteSchema>;
/** A value that a user must or may enter, such as a variable, a header or an argument. */
export type RegistryInput = Checked<typeof inputSchema>;
/** A variable inside an input's value. */
export type RegistryVariable = Checked<typeof variableSchema>;
/** A command-line argument. */
export type RegistryArgument = Checked<typeof argumentSchema>;

/** The latest version of a server in a registry. */
export interface RegistryServer {
  /** The server's name in reverse DNS notation, such as `io.github.user/server`. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** `active`, `deprecated`, `deleted`, or a value that mcpmux does not know. */
  readonly status: string;
  /** The reason for the status. */
  readonly statusMessage?: string | undefined;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
}

/** One page of a registry's server list. */
export interface RegistryPage {
  readonly servers: readonly RegistryServer[];
  readonly nextCursor: string | undefined;
}

/** Parses a page of the server list. Returns undefined if the page is invalid. Skips invalid and outdated entries. */
export function parsePage(value: unknown): RegistryPage | undefined {
  const { data } = pageSchema.safeParse(value);
  if (data === undefined) return undefined;
  const servers = data.servers.flatMap((one) => parseServer(one) ?? []);
  return { servers, nextCursor: data.metadata?.nextCursor };
}

/** Parses a registry entry. Returns undefined if it is invalid or is not the server's latest version. */
export function parseServer(value: unknown): RegistryServer | undefined {
  const { data } = entrySchema.safeParse(value);
  if (data === undefined) return undefined;
  const { _meta: meta } = data;
  const { status = 'active', statusMessage, isLatest = true } = meta?.[OFFICIAL_META_KEY] ?? {};
  if (!isLatest) return undefined;
  const { name, description, version, packages, remotes } = data.server;
  return { name, description, version, status, statusMessage, packages, remotes };
}
