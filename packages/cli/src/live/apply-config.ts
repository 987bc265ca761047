import type { JsonObject } from '@mcpmux/clients';
import type { ConfigChange } from '@mcpmux/config/follow';

import type { Announcement } from './announcement.js';
import { askInstance } from './ask-instance.js';
import { FollowedEvents } from './followed-events.js';
import { connectInstance } from './instances.js';
import { statesOf } from './server-state.js';
import type { McpConnection } from './mcp-connection.js';
import type { ServerState } from './server-state.js';

/** The changes that an instance made when it reloaded its config, and the states of its servers afterwards. */
export interface ReloadResult {
  readonly change: ConfigChange;
  readonly states: readonly ServerState[];
}

/**
 * Makes an instance reload its config. Waits until the added and changed servers and the servers in `names` have
 * started or failed. Resolves to undefined if the instance does not answer.
 *
 * @throws Error if the instance ends before it answers
 */
export async function applyConfig(
  instance: Announcement,
  names: readonly string[] = [],
): Promise<ReloadResult | undefined> {
  // First checks that the process answers, because the reload has no time limit and a start may take minutes.
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

/** Resolves to true on the next event that may change the state of a named server, or to false when the events end. */
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
