import { z, type Checked } from '../base/zod.js';

const text = z.optional(z.string());
const variable = z.looseObject({
  description: text,
  isRequired: z.optional(z.boolean()),
  isSecret: z.optional(z.boolean()),
  value: text,
  default: text,
  // These hints for the user are optional, so an invalid hint does not exclude the server.
  placeholder: z.orElse(text, undefined),
  format: z.orElse(text, undefined),
  choices: z.orElse(z.optional(z.array(z.string())), undefined),
});
const input = z.looseObject({
  ...variable.shape,
  variables: z.optional(z.record(z.string(), variable)),
});
const namedInput = z.looseObject({ ...input.shape, name: z.string() });
const argument = z.looseObject({
  ...input.shape,
  type: text,
  name: text,
  valueHint: text,
  isRepeated: z.orElse(z.optional(z.boolean()), undefined),
});
const pack = z.looseObject({
  registryType: z.string(),
  identifier: z.string(),
  version: text,
  registryBaseUrl: text,
  runtimeHint: text,
  fileSha256: text,
  transport: z.optional(z.looseObject({ type: z.string() })),
  runtimeArguments: z.optional(z.array(argument)),
  packageArguments: z.optional(z.array(argument)),
  environmentVariables: z.optional(z.array(namedInput)),
});
const remote = z.looseObject({
  type: z.string(),
  url: z.string(),
  headers: z.optional(z.array(namedInput)),
  variables: z.optional(z.record(z.string(), variable)),
});
const server = z.looseObject({
  name: z.string(),
  title: text,
  description: z.default(z.string(), ''),
  version: z.default(z.string(), ''),
  packages: z.default(z.array(pack), []),
  remotes: z.default(z.array(remote), []),
});
const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const official = z.looseObject({ status: text, statusMessage: text, isLatest: z.optional(z.boolean()) });
const entry = z.looseObject({
  server,
  _meta: z.optional(z.looseObject({ [OFFICIAL]: z.optional(official) })),
});
const list = z.looseObject({
  servers: z.array(z.unknown()),
  metadata: z.optional(z.looseObject({ nextCursor: text })),
});

/** A package of a server, as the registry describes it. */
export type RegistryPackage = Checked<typeof pack>;
/** A server at a URL, as the registry describes it. */
export type RegistryRemote = Checked<typeof remote>;
/** A value that a user must or may enter, such as a variable, a header or an argument. */
export type RegistryInput = Checked<typeof input>;
/** A variable inside the value of an input. */
export type RegistryVariable = Checked<typeof variable>;
/** A command-line argument. */
export type RegistryArgument = Checked<typeof argument>;

/** The latest version of a server in a registry. */
export interface RegistryServer {
  /** The name of the server in reverse DNS notation, such as `io.github.user/server`. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The status, which is `active`, `deprecated`, `deleted`, or a value that mcpmux does not know. */
  readonly status: string;
  /** The reason for the status. */
  readonly statusMessage?: string | undefined;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
}

/** A page of a list of servers. */
export interface RegistryPage {
  readonly servers: readonly RegistryServer[];
  readonly nextCursor: string | undefined;
}

/** Parses a page of a list. Returns undefined if the value is not a valid page. Skips invalid entries. */
export function parsePage(value: unknown): RegistryPage | undefined {
  const { data } = list.safeParse(value);
  if (data === undefined) return undefined;
  const servers = data.servers.flatMap((one) => parseServer(one) ?? []);
  return { servers, nextCursor: data.metadata?.nextCursor };
}

/** Parses a server. Returns undefined if the value is not a valid server or not its latest version. */
export function parseServer(value: unknown): RegistryServer | undefined {
  const { data } = entry.safeParse(value);
  if (data === undefined) return undefined;
  const { _meta: meta } = data;
  const { status = 'active', statusMessage, isLatest = true } = meta?.[OFFICIAL] ?? {};
  if (!isLatest) return undefined;
  const { name, description, version, packages, remotes } = data.server;
  return { name, description, version, status, statusMessage, packages, remotes };
}
