import { ClusterError } from '@mcpmux/cluster';

import { readFileText } from '../base/file-text.js';
import { ExitCode } from '../base/exit-code.js';
import { clusterOptions, type ClusterFlags } from '../cluster/cluster-options.js';
import { readLoginKeys } from '../cluster/login-key-source.js';
import { ServedCluster } from '../cluster/served-cluster.js';
import type { ConfigFound } from '@mcpmux/config/find';
import { formatProblem, loadConfig } from '@mcpmux/config';
import { thisProcess } from '../config/this-process.js';
import { refuseStart, type StartRefusal } from './refused.js';

/** Matches config text that may contain a `cluster` section. Other configs need not be loaded. */
const CLUSTER_SECTION = /"cluster"|\\u/;

/** Connects to the cluster in the flags, the environment or the config. Resolves to undefined if none specifies one. */
export async function connectCluster(
  flags: ClusterFlags,
  found: ConfigFound,
): Promise<ServedCluster | StartRefusal | undefined> {
  const file = found.kind === 'found' ? found.location.file : undefined;
  const config =
    found.kind === 'found' && CLUSTER_SECTION.test(readFileText(found.location.file) ?? '')
      ? loadConfig(found.location, thisProcess())
      : undefined;
  if (config?.isUsable === false) return refuseStart(config.problems.map(formatProblem));
  const { environment } = thisProcess();
  const options = clusterOptions({ flags, settings: config?.cluster, environment, file });
  if (options === undefined) return undefined;
  const keys = readLoginKeys(options.tokenKeyFile, environment);
  if (keys !== undefined && 'problem' in keys) return refuseStart([keys.problem]);
  try {
    return await ServedCluster.connect(options, keys);
  } catch (error) {
    const isConnectionError = error instanceof ClusterError || (error instanceof Error && 'code' in error);
    if (!isConnectionError) throw error;
    const next = 'Check the URL and the credentials of --cluster, MCPMUX_CLUSTER or "cluster" in the config.';
    return refuseStart([`${error.message} ${next}`], ExitCode.Unreachable);
  }
}
