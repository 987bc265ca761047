import { processPlaces } from '../live/instance-folder.js';
import { connectInstance, runningInstances } from '../live/instances.js';

/**
 * Approves the tools of upgraded servers in the instances that block changed tools (`--pin-tools block`). The person
 * has seen the changes before the upgrade was written.
 */
export async function approveUpgrade(pids: readonly number[], names: readonly string[]): Promise<void> {
  const instances = runningInstances(processPlaces()).filter(({ pid }) => pids.includes(pid));
  for (const instance of instances) {
    const connection = await connectInstance(instance);
    if (connection === undefined) continue;
    try {
      const servers = await connection.ownList('list_servers', 'servers');
      const blocked = servers.filter(({ blocked_tools: tools }) => tools !== undefined);
      const upgraded = blocked.map(({ name }) => String(name)).filter((name) => names.includes(name));
      for (const name of upgraded) await connection.own('reload_server', { name, approve: true });
    } finally {
      connection.close();
    }
  }
}
