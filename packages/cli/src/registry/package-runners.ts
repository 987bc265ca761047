import type { RegistryPackage } from './registry-server.js';

/** How a type of package is run. */
export interface Runner {
  readonly command: string;
  readonly args: readonly string[];
  /** The hosts of the package registries from which the command loads; undefined where the identifier names the host. */
  readonly hosts?: readonly string[];
  /** Words between the target and its own arguments. */
  readonly between?: readonly string[];
  readonly target: (pack: RegistryPackage) => string;
}

/** The runners by the types of packages. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  npm: {
    command: 'npx',
    args: ['-y'],
    hosts: ['registry.npmjs.org'],
    target: ({ identifier, version }) => (version === undefined ? identifier : `${identifier}@${version}`),
  },
  pypi: {
    command: 'uvx',
    args: [],
    hosts: ['pypi.org'],
    target: ({ identifier, version }) => (version === undefined ? identifier : `${identifier}==${version}`),
  },
  oci: { command: 'docker', args: ['run', '-i', '--rm'], target: ociTarget },
  nuget: {
    command: 'dnx',
    args: ['--yes'],
    hosts: ['api.nuget.org', 'nuget.org', 'www.nuget.org'],
    between: ['--'],
    target: ({ identifier, version }) => (version === undefined ? identifier : `${identifier}@${version}`),
  },
};
/** Returns how a type of package is run; undefined for a type that mcpmux cannot run. */
export function runnerOf(type: string): Runner | undefined {
  return Object.hasOwn(RUNNERS, type) ? RUNNERS[type] : undefined;
}

/** The reason why the command of a type of package does not run this package; undefined where it does. */
export function obstacleOf(pack: RegistryPackage, { command, hosts }: Runner): string | undefined {
  const { transport, registryBaseUrl: base, runtimeHint: hint, runtimeArguments: runtime = [] } = pack;
  if (transport !== undefined && transport.type !== 'stdio') return `it speaks ${transport.type}, not stdio`;
  // The public registry may have another package of the same name.
  if (base !== undefined && hosts?.includes(hostOf(base)) === false)
    return `it is in the package registry ${base}`;
  if (hint !== undefined && hint !== command && runtime.length > 0)
    return `its runtime arguments are for ${hint}, not for ${command}`;
  if (pack.fileSha256 !== undefined) return `${command} does not check its file against its SHA-256`;
  return undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The name of an image: docker looks at docker.io for a name without a host, and entries of earlier schemas have none. */
function ociTarget({ identifier, version, registryBaseUrl: base = '' }: RegistryPackage): string {
  const host = hostOf(base);
  const isWhole = host === '' || host.endsWith('docker.io') || identifier.startsWith(`${host}/`);
  const image = isWhole ? identifier : `${host}/${identifier}`;
  const hasTag = /[:@][^/]+$/.test(identifier);
  return hasTag || version === undefined ? image : `${image}:${version}`;
}
