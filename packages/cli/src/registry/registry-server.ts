import { z, type Checked } from '../base/zod.js';

const text = z.optional(z.string());
const variable = z.looseObject({
  description: text,
  isRequired: z.optional(z.boolean()),
  isSecret: z.optional(z.boolean()),
  value: text,
  default: text,
  // Hints for the person who enters the value. An unreadable hint is not a reason to leave out the server.
  placeholder: z.orElse(text, undefined),
  format: z.orElse(text, undefined),
  choices: z.orElse(z.optional(z.array(z.string())), undefined),
});
const input = z.looseObject({
  ...variable.shape,
  variables: z.optional(z.record(z.string(), variable)),
});
const named = z.looseObject({ ...input.shape, name: z.string() });
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
  environmentVariables: z.optional(z.array(named)),
});
const remote = z.looseObject({
  type: z.string(),
  url: z.string(),
  headers: z.optional(z.array(named)),
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

/** A package or a remote of a server, as the registry describes it. */
export type RegistryPackage = Checked<typeof pack>;
/** A server at a URL, as the registry describes it. */
export type RegistryRemote = Checked<typeof remote>;
/** A value that a user must or may enter: a variable, a header, an argument. */
export type RegistryInput = Checked<typeof input>;
/** A variable inside the value of an input. */
export type RegistryVariable = Checked<typeof variable>;
/** An argument of a command line. */
export type RegistryArgument = Checked<typeof argument>;

/** A server of a registry, in its latest version. */
export interface RegistryServer {
  /** The server's name in reverse DNS: `io.github.user/server`. */
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** `active`, `deprecated`, `deleted`, or a later one. */
  readonly status: string;
  /** The reason for the status. */
  readonly statusMessage?: string | undefined;
  readonly packages: readonly RegistryPackage[];
  readonly remotes: readonly RegistryRemote[];
}

/** One page of a list. */
export interface RegistryPage {
  readonly servers: readonly RegistryServer[];
  readonly nextCursor: string | undefined;
}

/** Parses a page of a list. Undefined if the value is not a valid page. Invalid entries are left out. */
export function parsePage(value: unknown): RegistryPage | undefined {
  const { data } = list.safeParse(value);
  if (data === undefined) return undefined;
  const servers = data.servers.flatMap((one) => parseServer(one) ?? []);
  return { servers, nextCursor: data.metadata?.nextCursor };
}

/** Parses a server. Undefined if the value is not a valid server, or the version is not the latest. */
export function parseServer(value: unknown): RegistryServer | undefined {
  const { data } = entry.safeParse(value);
  if (data === undefined) return undefined;
  const { _meta: meta } = data;
  const { status = 'active', statusMessage, isLatest = true } = meta?.[OFFICIAL] ?? {};
  if (!isLatest) return undefined;
  const { name, description, version, packages, remotes } = data.server;
  return { name, description, version, status, statusMessage, packages, remotes };
}
