import { setTimeout as timeout } from 'node:timers/promises';

import { CLI, cleanEnvironment, NODE } from '../testing/built-cli.js';
import type { Outcome, Pair } from './outcome.js';
import type { Script } from './script.js';
import { SurfaceClient } from './surface-client.js';
import type { Program } from './wire.js';

const DEADLINE_MS = 4000;
/** Programs start in the first step. */
const START_DEADLINE_MS = 15_000;

/** The name of the server behind mcpmux. */
export const SERVER = 'ev';

/** Runs every step of a script, with the server alone and through mcpmux, side by side. */
export async function runBoth(script: Script): Promise<readonly Pair[]> {
  const [direct, through] = await Promise.all([
    run(script, { ...script.program, isServer: true }, ''),
    run(
      script,
      { command: NODE, args: [CLI, '--log-level', 'error'], env: cleanEnvironment() },
      `${SERVER}__`,
    ),
  ]);
  return script.steps.map((_, index) => ({ direct: direct[index] ?? [], through: through[index] ?? [] }));
}

async function run(script: Script, program: Program, prefix: string): Promise<readonly Outcome[]> {
  await using client = new SurfaceClient(program, prefix);
  const outcomes: Outcome[] = [];
  for (const step of script.steps) {
    client.recorder.begin();
    const isFirst = outcomes.length === 0;
    const deadline = step.deadline ?? (isFirst ? START_DEADLINE_MS : DEADLINE_MS);
    await inTime(client, deadline, async () => {
      if (isFirst) await open(client, script);
      await step.run(client);
      await client.fence(script.fence.tool, script.fence.args);
    });
    outcomes.push(client.recorder.outcome);
  }
  return outcomes;
}

/** Connects, and adds the server when mcpmux is in front. */
async function open(client: SurfaceClient, { program }: Script): Promise<void> {
  await client.connect();
  if (client.prefix === '') return;
  const { command, args } = program;
  await client.raw('tools/call', { name: 'add_server', arguments: { name: SERVER, command, args } });
  // The announcement comes a moment later: a step that waits for another one would take it for that.
  await client.recorder.announcement('notifications/tools/list_changed');
}

async function inTime(
  client: SurfaceClient,
  milliseconds: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const ended = new AbortController();
  const late = timeout(milliseconds, 'late', { signal: ended.signal }).catch(() => 'ended');
  const done = work().then(
    () => 'done',
    (error: unknown) => {
      client.recorder.add({ kind: 'sdk error', message: String(error) });
      return 'failed';
    },
  );
  if ((await Promise.race([done, late])) === 'late') {
    client.recorder.add({ kind: 'timeout', message: `nothing more within ${milliseconds} ms` });
  }
  ended.abort();
}
