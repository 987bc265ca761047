import type { RegistryPackage } from './registry-server.js';

/** A command that runs packages of one type. */
export interface PackageRunner {
  readonly command: string;
  readonly args: readonly string[];
  /** The package registry hosts that the command downloads from. Undefined if identifiers contain the host. */
  readonly registryHosts?: readonly string[];
  /** The words that separate the package from its arguments, such as `--`. */
  readonly separator?: readonly string[];
  readonly targetOf: (pack: RegistryPackage) => string;
}

const RUNNERS_BY_TYPE: Readonly<Record<string, PackageRunner>> = {
  npm: {
    command: 'npx',
    args: ['-y'],
    registryHosts: ['registry.npmjs.org'],
    targetOf: ({ identifier, version }) => (version === undefined ? identifier : `${identifier}@${version}`),
  },
  pypi: {
    command: 'uvx',
    args: [],
    registryHosts: ['pypi.org'],
    targetOf: ({ identifier, version }) => (version === undefined ? identifier : `${identifier}==${version}`),
  },
  oci: { command: 'docker', args: ['run', '-i', '--rm'], targetOf: ociTarget },
  nuget: {
    command: 'dnx',
    args: ['--yes'],
    registryHosts: ['api.nuget.org', 'nuget.org', 'www.nuget.org'],
    separator: ['--'],
    targetOf: ({ identifier, version }) => (version === undefined ? identifier : `${identifier}@${version}`),
  },
};
/** Returns the runner for a package type, or undefined for a type that mcpmux cannot run. */
export function runnerOf(type: string): PackageRunner | undefined {
  return Object.hasOwn(RUNNERS_BY_TYPE, type) ? RUNNERS_BY_TYPE[type] : undefined;
}

/** Returns the reason why a runner cannot run a package, or undefined if it can. */
export function obstacleOf(
  pack: RegistryPackage,
  { command, registryHosts }: PackageRunner,
): string | undefined {
  const { transport, registryBaseUrl: base, runtimeHint: hint, runtimeArguments: runtime = [] } = pack;
  if (transport !== undefined && transport.type !== 'stdio') return `it speaks ${transport.type}, not stdio`;
  // The runner downloads from its default registry, where a different package may have the same name.
  if (base !== undefined && registryHosts?.includes(hostOf(base)) === false)
    return `it is in the package registry ${base}`;
  if (hint !== undefined && hint !== command && runtime.length > 0)
    return `its runtime arguments are for ${hint}, not for ${command}`;
  if (pack.fileSha256 !== undefined) return `${command} does not check its file against its SHA-256`;
  return undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/**
 * Returns an image's full name. Adds the registry host for entries of earlier schemas, because Docker looks up a name
 * without a host on docker.io.
 */
function ociTarget({ identifier, version, registryBaseUrl: base = '' }: RegistryPackage): string {
  const host = hostOf(base);
  const needsNoHost = host === '' || host.endsWith('docker.io') || identifier.startsWith(`${host}/`);
  const image = needsNoHost ? identifier : `${host}/${identifier}`;
  const hasTag = /[:@][^/]+$/.test(identifier);
  return hasTag || version === undefined ? image : `${image}:${version}`;
}
