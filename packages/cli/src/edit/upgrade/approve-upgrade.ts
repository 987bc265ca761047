import { isObject, type JsonObject } from '@mcpmux/clients';

import { folderContext } from '../../live/instance-folder.js';
import { connectInstance, runningInstances } from '../../live/instances.js';
import type { TriedUpgrade } from './tried-upgrade.js';

/** An upgrade whose changes a person has reviewed. `changes` is absent if the previous tools are unknown. */
export type ReviewedUpgrade = Pick<TriedUpgrade, 'name' | 'changes'>;

/**
 * Approves the upgraded servers' tools in the instances that block changed tools (`--pin-tools block`). Skips a server
 * unless a person reviewed the changes to all its blocked tools before the upgrade. Returns the skipped servers' names.
 */
export async function approveUpgrades(
  pids: readonly number[],
  upgrades: readonly ReviewedUpgrade[],
): Promise<readonly string[]> {
  const instances = runningInstances(folderContext()).filter(({ pid }) => pids.includes(pid));
  const unseen = new Set<string>();
  for (const instance of instances) {
    const connection = await connectInstance(instance);
    if (connection === undefined) continue;
    try {
      const servers = await connection.listFromOwnTool('list_servers', 'servers');
      for (const { name, isSeen } of blockedUpgrades(servers, upgrades)) {
        if (isSeen) await connection.callOwnTool('reload_server', { name, approve: true });
        else unseen.add(name);
      }
    } finally {
      connection.close();
    }
  }
  return [...unseen];
}

/** Returns the upgraded servers that have blocked tools. `isSeen` is true if a person reviewed all these tools. */
export function blockedUpgrades(
  servers: readonly JsonObject[],
  upgrades: readonly ReviewedUpgrade[],
): readonly { readonly name: string; readonly isSeen: boolean }[] {
  return servers.flatMap(({ name, blocked_tools: blocked }) => {
    const upgrade = upgrades.find((one) => one.name === name);
    if (upgrade === undefined || !isObject(blocked)) return [];
    const { added = [], changed = [] } = upgrade.changes ?? {};
    const reviewedTools = new Set([...added, ...changed.map(({ tool }) => tool)]);
    return [{ name: upgrade.name, isSeen: Object.keys(blocked).every((tool) => reviewedTools.has(tool)) }];
  });
}
