import { setTimeout as timeout } from 'node:timers/promises';

import { CLI, cleanEnvironment, NODE } from '../testing/built-cli.js';
import type { Outcome, Pair } from './outcome.js';
import type { Script } from './script.js';
import type { Recorder } from './recorder.js';
import { SurfaceClient } from './surface-client.js';
import type { Program } from './wire.js';

const DEADLINE_MS = 4000;
/** Programs start in the first step. */
const START_DEADLINE_MS = 15_000;

/** The name of the server behind mcpmux. */
export const SERVER = 'ev';

/** What every client of a script can do. */
interface Driven extends AsyncDisposable {
  readonly recorder: Recorder;
  readonly prefix: string;
  connect(): Promise<void>;
  raw(method: string, params: object): Promise<unknown>;
  fence(tool: string, args: object): Promise<void>;
}

/** Starts a program with a client in front. */
type Start<C> = (program: Program, prefix: string) => C;

/** Runs every step of a script, with the server alone and through mcpmux, side by side. */
export function runBoth(script: Script): Promise<readonly Pair[]> {
  return runBothWith(script, (program, prefix) => new SurfaceClient(program, prefix));
}

/** Runs every step of a script for clients of any kind. */
export async function runBothWith<C extends Driven>(
  script: Script<C>,
  start: Start<C>,
): Promise<readonly Pair[]> {
  const mux = { command: NODE, args: [CLI, '--log-level', 'error'], env: cleanEnvironment() };
  const [direct, through] = await Promise.all([
    run(script, start({ ...script.program, isServer: true }, '')),
    run(script, start(mux, `${SERVER}__`)),
  ]);
  return script.steps.map((_, index) => ({ direct: direct[index] ?? [], through: through[index] ?? [] }));
}

async function run<C extends Driven>(script: Script<C>, started: C): Promise<readonly Outcome[]> {
  await using client = started;
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
async function open(
  client: Driven,
  { program, url, protocol }: Pick<Script, 'program' | 'url' | 'protocol'>,
): Promise<void> {
  await client.connect();
  if (client.prefix === '') return;
  const { command, args } = program;
  const place = url === undefined ? { command, args } : { url };
  const added = { name: SERVER, ...place, ...(protocol && { protocol }) };
  await client.raw('tools/call', { name: 'add_server', arguments: added });
  // The announcement comes a moment later: a step that waits for another one would take it for that.
  await client.recorder.announcement('notifications/tools/list_changed');
}

async function inTime(client: Driven, milliseconds: number, work: () => Promise<unknown>): Promise<void> {
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
