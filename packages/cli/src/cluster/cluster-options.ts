import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';

import type { NatsOptions } from '@mcpmux/cluster-nats';

import type { ClusterSettings } from '@mcpmux/config';

/** Command-line flags for the cluster. */
export interface ClusterFlags {
  /** URLs of NATS servers. */
  readonly cluster?: readonly string[];
  /** This node's name. */
  readonly node?: string;
}

/** The options with which this process joins a cluster as a node. */
export interface ClusterOptions {
  readonly nats: NatsOptions;
  /** The node's id, unique to each process. Matches `[A-Za-z0-9_-]+`. */
  readonly id: string;
  /** The configured node name, or the host name by default. A server's `host` refers to this name. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly capacity: number;
  /** The path of a file with the keys that encrypt the nodes' shared logins. */
  readonly tokenKeyFile?: string;
}

/** The inputs of {@link clusterOptions}. */
export interface ClusterSources {
  readonly flags: ClusterFlags;
  readonly settings: ClusterSettings | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** The path of the config file. Relative paths in the settings are resolved against its folder. */
  readonly file?: string | undefined;
}

/** The environment variable with the URLs of the NATS servers. A URL may contain a password. */
export const CLUSTER_VARIABLE = 'MCPMUX_CLUSTER';

const DEFAULT_CAPACITY = 100;

/**
 * Returns the cluster options, or undefined if no NATS server is configured.
 *
 * Removes the variable with the URLs from the environment, so that no server inherits a NATS password.
 */
export function clusterOptions({
  flags,
  settings = {},
  environment,
  file,
}: ClusterSources): ClusterOptions | undefined {
  const environmentUrls = environment[CLUSTER_VARIABLE]?.split(',').filter((url) => url !== '');
  delete environment[CLUSTER_VARIABLE];
  const servers = flags.cluster ?? (environmentUrls?.length ? environmentUrls : settings.servers);
  if (servers === undefined) return undefined;
  const { labels = [], capacity = DEFAULT_CAPACITY } = settings;
  const name = flags.node ?? environment['MCPMUX_NODE'] ?? settings.node ?? hostname();
  const resolvePath = (path: string): string => resolve(file === undefined ? '.' : dirname(file), path);
  return {
    nats: { ...natsOptions(settings, resolvePath), servers, node: name },
    id: `${idPart(name)}-${randomBytes(4).toString('hex')}`,
    name,
    labels,
    capacity,
    ...(settings.tokenKeyFile !== undefined && { tokenKeyFile: resolvePath(settings.tokenKeyFile) }),
  };
}

function natsOptions(
  { credentialsFile, nkeyFile, tls, replicas, name }: ClusterSettings,
  resolvePath: (one: string) => string,
): Omit<NatsOptions, 'servers'> {
  return {
    replicas,
    name,
    ...(credentialsFile !== undefined && { credentialsFile: resolvePath(credentialsFile) }),
    ...(nkeyFile !== undefined && { nkeyFile: resolvePath(nkeyFile) }),
    ...(tls !== undefined && {
      tls: Object.fromEntries(Object.entries(tls).map(([key, value]) => [key, resolvePath(value)])),
    }),
  };
}

/** Replaces the characters that an id cannot contain, because ids are parts of NATS subjects and keys. */
function idPart(name: string): string {
  return name.replaceAll(/[^\w-]/g, '-');
}
