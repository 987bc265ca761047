import type { JsonObject } from '@mcpmux/clients';
import type { ConfigChange } from '@mcpmux/config/follow';

import type { Announcement } from './announcement.js';
import { askInstance } from './ask-instance.js';
import { FollowedEvents } from './followed-events.js';
import { connectInstance } from './instances.js';
import { statesOf } from './server-state.js';
import type { McpConnection } from './mcp-connection.js';
import type { ServerState } from './server-state.js';

/** The changes after an instance has read its config again, and the states of its servers. */
export interface AppliedConfig {
  readonly change: ConfigChange;
  readonly states: readonly ServerState[];
}

/**
 * Makes an instance read its config again. Resolves when no server that the instance starts now, and no server in
 * `names`, is still starting. Resolves to undefined if the instance does not answer.
 *
 * @throws Error if the instance ends before it answers
 */
export async function applyConfig(
  instance: Announcement,
  names: readonly string[] = [],
): Promise<AppliedConfig | undefined> {
  // A suspended process accepts the command and never answers, and a start may take minutes.
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
): Promise<AppliedConfig> {
  using events = await FollowedEvents.open(instance);
  const followed = events[Symbol.asyncIterator]();
  const change = await askInstance(instance, 'reloadConfig', {});
  const awaited = new Set([...names, ...change.added, ...change.changed]);
  let states = await statesOf(connection);
  while (states.some(({ name, status }) => status === 'starting' && awaited.has(name))) {
    if (!(await isAnyChanged(followed, awaited))) break;
    states = await statesOf(connection);
  }
  return { change, states };
}

/** Resolves at the next event that changes the state of any of these servers. False at the end of the events. */
async function isAnyChanged(
  events: AsyncIterator<JsonObject, undefined>,
  names: ReadonlySet<string>,
): Promise<boolean> {
  for (;;) {
    const { done, value } = await events.next();
    if (done === true) return false;
    const { type, server } = value;
    const isState = type === 'server:state' || type === 'server:removed' || type === 'events:missed';
    if (isState && (typeof server !== 'string' || names.has(server))) return true;
  }
}
