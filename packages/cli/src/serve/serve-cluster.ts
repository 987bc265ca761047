import { ClusterError } from '@mcpmux/cluster';

import { fileText } from '../base/file-text.js';
import { ExitCode } from '../base/exit-code.js';
import { clusterOptions, type ClusterFlags } from '../cluster/cluster-options.js';
import { loginKeysOf } from '../cluster/login-key-source.js';
import { ServedCluster } from '../cluster/served-cluster.js';
import type { ConfigFound } from '@mcpmux/config/find';
import { formatProblem, loadConfig } from '@mcpmux/config';
import { thisProcess } from '../config/this-process.js';
import { refused, type Refused } from './refused.js';

/** Matches configs that may have the section `cluster`, so that other configs are not loaded. */
const SECTION = /"cluster"|\\u/;

/**
 * Connects to the cluster from the flags, the environment or the config. Resolves to undefined if none of them
 * configures a cluster.
 */
export async function joinCluster(
  flags: ClusterFlags,
  found: ConfigFound,
): Promise<ServedCluster | Refused | undefined> {
  const file = found.kind === 'found' ? found.location.file : undefined;
  const loaded =
    found.kind === 'found' && SECTION.test(fileText(found.location.file) ?? '')
      ? loadConfig(found.location, thisProcess())
      : undefined;
  if (loaded?.isUsable === false) return refused(loaded.problems.map(formatProblem));
  const { environment } = thisProcess();
  const options = clusterOptions({ flags, settings: loaded?.cluster, environment, file });
  if (options === undefined) return undefined;
  const keys = loginKeysOf(options.tokenKeyFile, environment);
  if (keys !== undefined && 'problem' in keys) return refused([keys.problem]);
  try {
    return await ServedCluster.connect(options, keys);
  } catch (error) {
    const isKnown = error instanceof ClusterError || (error instanceof Error && 'code' in error);
    if (!isKnown) throw error;
    const next = 'Check the URL and the credentials of --cluster, MCPMUX_CLUSTER or "cluster" in the config.';
    return refused([`${error.message} ${next}`], ExitCode.Unreachable);
  }
}
