import { z, type Checked } from './zod.js';
import { nonEmpty, flag, optional, unknownKeys } from './schema-parts.js';

const pathList = z.array(nonEmpty, { error: 'expected a list of paths: ["./out"]' });
const plainPath = nonEmpty.check(
  z.refine((text) => !text.includes('*'), {
    error: 'expected a path without "*": a pattern would protect nothing. Name the folder',
  }),
);
const plainPaths = z.array(plainPath, { error: 'expected a list of paths: ["./out"]' });
const domain = nonEmpty.check(
  z.refine((text) => text !== '*', { error: 'the whole network is "network": true' }),
  z.refine((text) => !/[/\s]/.test(text), {
    error: 'expected a domain: "api.example.com" or "*.example.com"',
  }),
);
const domains = z.array(domain, { error: 'expected a list of domains: ["api.example.com"]' });

const FILES = {
  allowRead: optional(pathList, 'Paths that are hidden by default, and that the server may read.'),
  allowWrite: optional(pathList, 'Paths that the server may write, in addition to its working directory.'),
  denyRead: optional(plainPaths, 'Paths that are hidden, in addition to the default ones.'),
  denyWrite: optional(plainPaths, 'Paths in writable folders that the server may only read.'),
};
const DOMAINS = {
  allowedDomains: optional(domains, 'The domains that the server may reach.'),
  deniedDomains: optional(domains, 'Domains that the server may not reach, even if allowedDomains has them.'),
};
const SANDBOX_SETTINGS = {
  follow: optional(
    z.literal('client', { error: 'expected "client"' }),
    'client: also within the sandbox that the client of each call describes. Codex describes one.',
  ),
  filesystem: z.optional(
    z.strictObject(FILES, { error: unknownKeys('sandbox.filesystem', Object.keys(FILES)) }),
  ),
  network: optional(
    z.union(
      [flag, z.strictObject(DOMAINS, { error: unknownKeys('sandbox.network', Object.keys(DOMAINS)) })],
      {
        error: 'expected true, false or { "allowedDomains": ["api.example.com"] }',
      },
    ),
    'Absent, or false: no network. true: the whole network. Domains: these alone.',
  ),
};

/** The schema of the rights of a confined server. */
const sandboxSchema = z.strictObject(SANDBOX_SETTINGS, {
  error: unknownKeys('sandbox', Object.keys(SANDBOX_SETTINGS)),
});

/** The schema of a server's sandbox: `true`, `false`, `"off"`, or an object with the server's rights. */
export const sandboxChoice = z
  .union([flag, z.literal('off'), sandboxSchema], {
    error: 'expected true, "off" or { "filesystem": { "allowWrite": ["./out"] }, "network": true }',
  })
  .check(z.describe('Confines the server: true, "off", or what it may do. Without "network" it has none.'));

/** The schema of the top-level `sandbox`, as in VS Code. It applies only to servers with `sandboxEnabled`. */
export const sandboxWhereEnabled = z.union([z.literal(false), sandboxSchema], {
  error:
    'expected { "network": true }, for the servers with "sandboxEnabled". For all servers, write it under "mux": ' +
    '{ "mux": { "sandbox": true } }',
});

/** A value of {@link sandboxChoice}. */
export type SandboxChoice = Checked<typeof sandboxChoice>;

/** The settings of an entry that determine its sandbox. `sandboxEnabled` is VS Code's key. */
interface SandboxKeys {
  readonly sandbox?: SandboxChoice | undefined;
  readonly sandboxEnabled?: boolean | undefined;
  readonly mux?: { readonly sandbox?: SandboxChoice | undefined } | undefined;
}

/** The settings outside an entry that also determine its sandbox. */
export interface SandboxDefaults {
  /** The top-level `mux.sandbox`: the default for all servers. */
  readonly forAll?: SandboxChoice | undefined;
  /** The top-level `sandbox`, as in VS Code. Applies only to entries with `sandboxEnabled`. */
  readonly whereEnabled?: SandboxChoice | undefined;
  /** The sandbox of the config to which this config adds servers. If it confines, it overrides all other settings. */
  readonly outer?: SandboxChoice | undefined;
}

/** Returns the sandbox of an entry: the server's rights, or undefined if it is not confined. */
export function sandboxOfEntry(
  { sandbox, sandboxEnabled, mux }: SandboxKeys,
  { forAll, whereEnabled, outer }: SandboxDefaults,
): Checked<typeof sandboxSchema> | undefined {
  if (isConfined(outer)) return typeof outer === 'object' ? outer : {};
  const own = sandbox ?? mux?.sandbox;
  const isOn = sandboxEnabled ?? isConfined(own ?? forAll);
  if (!isOn) return undefined;
  const enabled = sandboxEnabled === true ? whereEnabled : undefined;
  const settings = [own, enabled, forAll].find((choice) => typeof choice === 'object');
  return typeof settings === 'object' ? settings : {};
}

/** True if a choice confines a server. */
export function isConfined(choice: SandboxChoice | undefined): boolean {
  return choice !== undefined && choice !== false && choice !== 'off';
}
