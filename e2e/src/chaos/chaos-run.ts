import { setTimeout as delay } from 'node:timers/promises';

import { Lifeline } from '@mcpmux/test-servers';

import { ChaosClient, type Call } from './chaos-client.js';
import { DirectEcho } from './direct-echo.js';
import { FaultLog } from './fault-log.js';
import { descriptorsOf, memoryOf, processesWith, runs, zombiesOf } from './process-files.js';
import { Random } from './random.js';
import { Storm } from './storm.js';

/** How mcpmux is ended in the end. */
export type Ending = 'EOF' | 'SIGTERM' | 'SIGKILL';

/** What a run has shown. */
export interface ChaosReport {
  /** What must not happen and did; empty after a good run. */
  readonly violations: readonly string[];
  readonly calls: number;
  readonly failures: number;
  /** Milliseconds in which 99 of 100 calls of the untouched server were answered. */
  readonly healthyP99: number;
  /** The same of a server that was asked at the same moments without mcpmux. */
  readonly directP99: number;
  readonly peakMegabytes: number;
  readonly endMs: number;
  readonly history: readonly string[];
}

const QUIET_DEADLINE_MS = 30_000;
/** From the end of mcpmux to that of its last process. */
const GONE_MS = 3000;
/** From the order to end to the end of mcpmux: hosts kill after 4 s. */
const END_MS = 3500;
/** From the death of a server to its listing as crashed. */
const TRUTH_MS = 1000;
/** Beside what the machine takes: through mcpmux a call waits for a processor four times, without it twice. */
const MAX_HEALTHY_P99_MS = 500;
const MAX_PEAK_MEGABYTES = 512;
const MAX_QUIET_MEGABYTES = 250;
const CANARY = 'canary-b7f2a1';

/** Runs mcpmux through so many events that the seed decides, then ends it. */
export async function chaosRun(seed: number, events: number, ending: Ending): Promise<ChaosReport> {
  await using lifeline = await Lifeline.open();
  const faults = new FaultLog();
  const client = new ChaosClient({ LIFELINE: lifeline.address, CHAOS_SECRET: CANARY });
  using direct = new DirectEcho();
  const storm = new Storm({ client, direct }, faults, new Random(seed), { TOKEN: CANARY });
  const violations: string[] = [];
  const check = (isFine: boolean, problem: string): void => {
    if (!isFine) violations.push(problem);
  };
  try {
    await storm.begin();
    const base = descriptorsOf(client.pid);
    for (let event = 0; event < events; event += 1) {
      await storm.step();
      if (event % 50 === 49)
        check(await isTruthful(storm), `after event ${event}: a running server has no process`);
    }
    await withDeadline(storm.calm(), () => `unanswered: ${client.pending.map(nameOf).join(', ')}`);
    await quietProcesses(lifeline);
    const servers = await storm.look();
    check(servers.length === 1, `${servers.length} servers are listed where one is left`);
    // the last looks for descendants, in the files of /proc, may go on for a moment
    const hasClosed = await soon(() => descriptorsOf(client.pid) <= base);
    check(hasClosed, `${descriptorsOf(client.pid)} descriptors, ${base} at the beginning`);
    check(await soon(() => zombiesOf(client.pid).length === 0), 'there are zombies');
    const peakMegabytes = memoryOf(client.pid).peak;
    check(memoryOf(client.pid).now < MAX_QUIET_MEGABYTES, `${memoryOf(client.pid).now} MB at rest`);
    check(peakMegabytes < MAX_PEAK_MEGABYTES, `${peakMegabytes} MB at the highest moment`);
    const endMs = await end(client, storm, ending, check);
    const isGone = await soon(() => marked(lifeline.address).length === 0);
    check(isGone, `processes are left: ${marked(lifeline.address).join(', ')}`);
    return summary({ client, storm, direct, faults, violations, peakMegabytes, endMs });
  } finally {
    client.child.kill('SIGKILL');
    for (const pid of marked(lifeline.address)) process.kill(pid, 'SIGKILL');
  }
}

function nameOf({ id, server, tool }: Call): string {
  return `${id} ${server}__${tool}`;
}

function marked(address: string): readonly number[] {
  return processesWith('LIFELINE', address);
}

/** Every server that is said to run has its process, at the latest a moment after it has lost it. */
async function isTruthful(storm: Storm): Promise<boolean> {
  for (let waited = 0; waited < TRUTH_MS; waited += 50) {
    const servers = await storm.look();
    if (servers.every(({ status, pid }) => status !== 'running' || (pid !== undefined && runs(pid))))
      return true;
    await delay(50);
  }
  return false;
}

async function withDeadline(work: Promise<void>, complaint: () => string): Promise<void> {
  const late = delay(QUIET_DEADLINE_MS, undefined, { ref: false }).then(() => {
    throw new Error(complaint());
  });
  await Promise.race([work, late]);
}

/** Waits until only the processes of the untouched server are left, that of mcpmux and its guard's not counted. */
async function quietProcesses(lifeline: Lifeline): Promise<void> {
  for (let waited = 0; waited < 6000 && lifeline.alive.length > 1; waited += 20) await delay(20);
}

/** Ends mcpmux with calls in flight and servers that do not go by themselves; resolves with how long that took, in milliseconds. */
async function end(
  client: ChaosClient,
  storm: Storm,
  ending: Ending,
  check: (isFine: boolean, problem: string) => void,
): Promise<number> {
  await storm.burden();
  const start = performance.now();
  if (ending === 'EOF') client.child.stdin.end();
  else client.child.kill(ending);
  const { code, signal } = await client.ended;
  const took = performance.now() - start;
  const expected = { EOF: '0', SIGTERM: '143', SIGKILL: 'SIGKILL' }[ending];
  check(`${signal ?? code}` === expected, `mcpmux ended with ${signal ?? code}, not ${expected}`);
  check(took < END_MS, `the end took ${Math.round(took)} ms`);
  if (ending === 'EOF')
    check(client.pending.length === 0, `${client.pending.length} calls got no answer at the end`);
  return took;
}

/** Whether something is so within 3 s. */
async function soon(isSo: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < GONE_MS; waited += 50) {
    if (isSo()) return true;
    await delay(50);
  }
  return isSo();
}

interface Finished {
  readonly client: ChaosClient;
  readonly storm: Storm;
  readonly direct: DirectEcho;
  readonly faults: FaultLog;
  readonly violations: readonly string[];
  readonly peakMegabytes: number;
  readonly endMs: number;
}

function summary(finished: Finished): ChaosReport {
  const { client, storm, direct, faults, violations, peakMegabytes, endMs } = finished;
  const calls = client.calls.filter(({ server }) => server !== '');
  for (const { server } of calls) faults.note(server, 'end');
  const judged = calls.map((call) => faults.judge(call)).filter((problem) => problem !== undefined);
  const [healthyP99, directP99] = [p99(storm.healthyTimes), p99(direct.times)];
  const isFailure = ({ answer }: Call): boolean =>
    answer?.error !== undefined || answer?.result?.['isError'] === true;
  return {
    violations: [
      ...violations,
      ...client.violations,
      ...judged,
      ...disorder(client),
      ...suspiciousOutput(client),
      ...(healthyP99 < 2 * directP99 + MAX_HEALTHY_P99_MS
        ? []
        : [`p99 of the untouched server: ${healthyP99} ms, without mcpmux ${directP99} ms`]),
    ],
    calls: calls.length,
    failures: calls.filter(isFailure).length,
    healthyP99,
    directP99,
    peakMegabytes,
    endMs: Math.round(endMs),
    history: storm.history,
  };
}

function p99(times: readonly number[]): number {
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Infinity);
}

/** Echoes of one server that were answered in another order than they were asked for. */
function disorder({ answered }: ChaosClient): readonly string[] {
  const last = new Map<string, number>();
  return answered
    .filter(
      ({ tool, answer }) =>
        tool === 'echo' && answer?.result !== undefined && answer.result['isError'] !== true,
    )
    .flatMap(({ server, id }) => {
      const before = last.get(server) ?? 0;
      last.set(server, id);
      return before > id ? [`${server}: the echo ${id} came after ${before}`] : [];
    });
}

function suspiciousOutput({ output, stderr }: ChaosClient): readonly string[] {
  const signs = ['unhandledRejection', 'uncaughtException', 'MaxListenersExceeded', 'Warning:'];
  return [
    ...signs.filter((sign) => stderr.includes(sign)).map((sign) => `stderr holds ${sign}`),
    ...([output, stderr].some((text) => text.includes(CANARY)) ? ['a secret is in the output'] : []),
  ];
}
