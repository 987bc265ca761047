import { jsonObject } from '../base/json-object.js';
import { linesOf } from '../base/lines.js';
import { z, type Checked } from '../base/zod.js';
import type { Announcement } from './announcement.js';
import { askInstance } from './ask-instance.js';
import { controlLine } from './control-line.js';
import { connectInstance, connectSocket } from './instances.js';
import { statesOf } from './server-state.js';
import type { McpConnection } from './mcp-connection.js';
import type { ServerState } from './server-state.js';

const changeSchema = z.object({
  isUsable: z.boolean(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
  problems: z.array(z.string()),
  clusterProblems: z.optional(z.array(z.string())),
});

/** The changes after an instance has read its config again, and the states of its servers. */
export interface AppliedConfig {
  readonly change: Checked<typeof changeSchema>;
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
    return await applied(instance, connection, names);
  } finally {
    connection.close();
  }
}

async function applied(
  instance: Announcement,
  connection: McpConnection,
  names: readonly string[],
): Promise<AppliedConfig> {
  const events = await connectSocket(instance);
  try {
    events.write(`${controlLine({ command: 'events' })}\n`);
    const lines: AsyncIterator<string> = linesOf(events)[Symbol.asyncIterator]();
    // The first line confirms that every later event will follow.
    await lines.next();
    const change = changeSchema.parse(await askInstance(instance, { command: 'reload-config' }));
    const awaited = new Set([...names, ...change.added, ...change.changed]);
    let states = await statesOf(connection);
    while (states.some(({ name, status }) => status === 'starting' && awaited.has(name))) {
      if ((await nextState(lines, awaited)) === undefined) break;
      states = await statesOf(connection);
    }
    return { change, states };
  } finally {
    events.destroy();
  }
}

/** Returns the next event that changes the state of any of these servers. Undefined at the end of the events. */
async function nextState(
  lines: AsyncIterator<string>,
  names: ReadonlySet<string>,
): Promise<string | undefined> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return undefined;
    const { type, server } = jsonObject(value) ?? {};
    const isState = type === 'server:state' || type === 'server:removed' || type === 'events:missed';
    if (isState && (typeof server !== 'string' || names.has(server))) return value;
  }
}
