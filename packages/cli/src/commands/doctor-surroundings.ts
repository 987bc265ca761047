import { statSync } from 'node:fs';

import { type ConfigLocation, findConfig, searchOrder } from '@mcpmux/config/find';

import { checkClock } from '../doctor/check-clock.js';
import { checkOtherConfigs, type RawConfig } from '../doctor/check-other-configs.js';
import { checkSecrets } from '../doctor/check-secrets.js';
import { checkSocket } from '../doctor/check-socket.js';
import type { Finding } from '../doctor/finding.js';
import { findPrivacyProblem, instanceFolder } from '../live/instance-folder.js';
import { folderContext } from '../live/instance-folder.js';
import { connectInstance, runningInstances } from '../live/instances.js';
import { literalSecretNames } from '../redact/literal-secrets.js';
import type { CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { configServers, configTextOf, withoutConfig } from '../config/config-choice.js';

/** Checks for other configs, this config's permissions and plain-text secrets, and the system clock. */
export function checkConfigAndClock(
  context: CommandContext,
  usedLocation: ConfigLocation,
  servers: RawConfig['servers'],
): readonly Finding[] {
  const stats = statSync(usedLocation.file, { throwIfNoEntry: false });
  const mode = context.platform === 'win32' ? undefined : stats?.mode;
  const plainTextSecrets = servers.flatMap(([name, entry]) => {
    const names = literalSecretNames(entry);
    return names.length === 0 ? [] : [[name, names] as const];
  });
  return [
    ...checkOtherConfigs({ file: usedLocation.file, servers }, otherConfigs(context, usedLocation)),
    checkSecrets({
      file: usedLocation.file,
      mode,
      entries: servers.map(([, entry]) => entry),
      plainTextSecrets,
    }),
    checkClock(Date.now(), stats?.mtimeMs ?? 0),
  ];
}

/** Checks whether commands can connect to every running mcpmux. */
export async function checkReachability(): Promise<readonly Finding[]> {
  const places = folderContext();
  const folder = instanceFolder(places);
  const instances = runningInstances(places);
  const silentPids: number[] = [];
  for (const instance of instances) {
    const connection = await connectInstance(instance);
    if (connection === undefined) silentPids.push(instance.pid);
    connection?.close();
  }
  return checkSocket({ folder, problem: findPrivacyProblem(folder, places), silentPids });
}

/** Returns the readable configs in the search order, except the config in use. */
function otherConfigs(context: CommandContext, usedLocation: ConfigLocation): readonly RawConfig[] {
  const search = { ...context, flag: undefined, projects: true, environment: withoutConfig(context) };
  if (findConfig(search).kind === 'none') return [];
  return searchOrder(search).flatMap((location): readonly RawConfig[] => {
    if (location.file === usedLocation.file) return [];
    try {
      const { reading, valueOf } = configServers(location, configTextOf(location));
      const servers = reading.entries.map(({ name, path }) => [name, valueOf(path)] as const);
      return [{ file: location.file, servers }];
    } catch (error) {
      // An error in a file that mcpmux does not use is harmless.
      if (error instanceof CommandError) return [];
      throw error;
    }
  });
}
