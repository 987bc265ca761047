import type { JsonObject } from '@mcpmux/clients';
import type { ConfigChange } from '@mcpmux/config/follow';

import type { Announcement } from './announcement.js';
import { askInstance } from './ask-instance.js';
import { FollowedEvents } from './followed-events.js';
import { connectInstance } from './instances.js';
import { statesOf } from './server-state.js';
import type { McpConnection } from './mcp-connection.js';
import type { ServerState } from './server-state.js';

/** The changes that an instance found when it reloaded its config, and the states of its servers afterwards. */
export interface ReloadResult {
  readonly change: ConfigChange;
  readonly states: readonly ServerState[];
}

/**
 * Requests an instance to reload its config. Waits until the added servers, the changed servers and the servers in
 * `names` have started or failed. Resolves to undefined if the instance does not answer the connection attempt.
 *
 * @throws InstanceRefusal; Error if the instance ends during the reload
 */
export async function applyConfig(
  instance: Announcement,
  names: readonly string[] = [],
): Promise<ReloadResult | undefined> {
  // Connecting first detects a process that does not answer. The reload has no time limit, as starts may take minutes.
  const connection = await connectInstance(instance);
  if (connection === undefined) return undefined;
  try {
    return await reloadAndWait(instance, connection, names);
  } finally {
    connection.close();
  }
}

async function reloadAndWait(
  instance: Announcement,
  connection: McpConnection,
  names: readonly string[],
): Promise<ReloadResult> {
  using events = await FollowedEvents.open(instance);
  const iterator = events[Symbol.asyncIterator]();
  const change = await askInstance(instance, 'reloadConfig', {});
  const awaitedNames = new Set([...names, ...change.added, ...change.changed]);
  let states = await statesOf(connection);
  while (states.some(({ name, status }) => status === 'starting' && awaitedNames.has(name))) {
    if (!(await waitForStateChange(iterator, awaitedNames))) break;
    states = await statesOf(connection);
  }
  return { change, states };
}

/** Resolves to true after an event that may affect a named server's state, or to false when the events end. */
async function waitForStateChange(
  events: AsyncIterator<JsonObject, undefined>,
  names: ReadonlySet<string>,
): Promise<boolean> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return false;
    const { type, server } = value;
    const isStateEvent = type === 'server:state' || type === 'server:removed' || type === 'events:missed';
    if (isStateEvent && (typeof server !== 'string' || names.has(server))) return true;
  }
}
