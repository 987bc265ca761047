import { setTimeout as delay } from 'node:timers/promises';

import type { Call, ChaosClient } from './chaos-client.js';
import type { DirectEcho } from './direct-echo.js';
import type { FaultLog } from './fault-log.js';
import type { Random } from './random.js';
import { SERVERS } from './servers.js';
import { serverIn, type ListedServer } from '../testing/server-list.js';

/** How often each kind of event comes, in percent. */
const WEIGHTS = {
  kill: 15,
  exit: 10,
  close_stdout: 5,
  close_stdin: 5,
  stop: 5,
  stop_reading: 5,
  garbage: 10,
  damage: 3,
  oversize: 3,
  slow: 7,
  cancel: 3,
  stderr: 3,
  flood: 2,
  fork: 4,
  escape: 3,
  reload: 5,
  remove: 5,
  add: 5,
  stall: 2,
} as const;

type EventKind = keyof typeof WEIGHTS;

const MEGABYTE = 1_000_000;
const STALL_MS = 60;
/** How much later a stopped server goes on, in events. */
const STOP_EVENTS = 8;

/** Does to servers and to mcpmux what happens to them in bad times, in an order that a seed decides. */
export class Storm {
  /** What was done, for whoever has to find out. */
  readonly history: string[] = [];
  /** Milliseconds that each call of the server took that nothing was done to. */
  readonly healthyTimes: number[] = [];
  private listed: { readonly structured: Readonly<Record<string, unknown>> } = { structured: {} };
  private readonly stopped = new Map<number, number>();
  private events = 0;

  constructor(
    private readonly asked: { readonly client: ChaosClient; readonly direct: DirectEcho },
    private readonly faults: FaultLog,
    private readonly random: Random,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  private get client(): ChaosClient {
    return this.asked.client;
  }

  /** Adds every server and waits until all run. */
  async begin(): Promise<void> {
    await Promise.all(Object.keys(SERVERS).map((name) => this.add(name).answered));
    await this.look();
  }

  /** One event, a call of a random server, and a call of the one that is left alone, whose answer is awaited. */
  async step(): Promise<void> {
    this.events += 1;
    this.continueStopped(this.events);
    if (this.events % 5 === 0) await this.look();
    const name = this.random.pick(Object.keys(SERVERS).filter((each) => each !== 'healthy'));
    await this.happen(this.random.weighted(WEIGHTS), name);
    this.client.call(this.random.pick(Object.keys(SERVERS)), 'echo');
    const probe = this.client.call('healthy', 'echo');
    await Promise.all([probe.answered, this.asked.direct.call()]);
    this.healthyTimes.push(probe.took ?? Infinity);
  }

  /** Ends what would keep calls waiting for ever: stopped servers go on, the others are removed. */
  async calm(): Promise<void> {
    this.continueStopped(Infinity);
    const others = Object.keys(SERVERS).filter((name) => name !== 'healthy');
    for (const name of others) this.faults.note(name, 'remove');
    await Promise.all(others.map((name) => this.client.manage('remove_server', { name }).answered));
    await Promise.all(this.client.pending.map((call) => call.answered));
  }

  /** Makes the end hard: a server that ignores SIGTERM, one with descendants in and out of its group, calls in flight. */
  async burden(): Promise<void> {
    await Promise.all(['stubborn', 'node1'].map((name) => this.add(name).answered));
    await Promise.all(['fork', 'escape'].map((tool) => this.client.call('node1', tool).answered));
    for (const name of ['healthy', 'node1']) this.client.call(name, 'slow', 60_000);
    await this.look();
  }

  /** The servers as mcpmux shows them now. */
  async look(): Promise<readonly ListedServer[]> {
    const { result } = await this.client.manage('list_servers', {}).answered;
    this.listed = { structured: (result?.['structuredContent'] ?? {}) as Record<string, unknown> };
    return (this.listed.structured['servers'] ?? []) as readonly ListedServer[];
  }

  private async happen(kind: EventKind, name: string): Promise<void> {
    const server = serverIn(this.listed, name);
    // nothing can be done to a server that is not there: it comes back instead
    const event = this.fitting(kind, server);
    this.history.push(`${this.events} ${event} ${name}`);
    this.faults.note(name, event);
    if (event === 'kill' || event === 'stop') return this.signal(event, server?.pid);
    if (event === 'add') return void this.add(name);
    if (event === 'reload' || event === 'remove') return void this.client.manage(`${event}_server`, { name });
    if (event === 'stall') return this.stall(name);
    if (event === 'cancel')
      return this.client.cancel(this.client.call(name, 'slow', this.random.between(0, 200)));
    this.client.call(name, event, this.size(event));
  }

  private fitting(kind: EventKind, server: ListedServer | undefined): EventKind {
    if (server === undefined) return 'add';
    if (server.status === 'crashed') return this.random.next() < 0.8 ? 'reload' : 'remove';
    return kind === 'add' ? 'garbage' : kind;
  }

  private size(event: EventKind): number {
    if (event === 'exit') return this.random.between(0, 256);
    if (event === 'oversize') return this.random.pick([1000, MEGABYTE, 11 * MEGABYTE]);
    return this.random.between(0, 300);
  }

  private add(name: string): Call {
    this.faults.note(name, 'add');
    return this.client.manage('add_server', { name, ...SERVERS[name], env: this.env });
  }

  private signal(event: 'kill' | 'stop', pid: number | undefined): void {
    if (pid === undefined) return;
    try {
      process.kill(pid, event === 'kill' ? 'SIGKILL' : 'SIGSTOP');
      if (event === 'stop') this.stopped.set(pid, this.events + STOP_EVENTS);
    } catch {
      // gone since the last look
    }
  }

  private continueStopped(now: number): void {
    for (const [pid, due] of this.stopped) {
      if (due > now) continue;
      this.stopped.delete(pid);
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // it was killed while it was stopped
      }
    }
  }

  /** The client reads nothing for a while, although much is on its way to it. */
  private async stall(name: string): Promise<void> {
    this.client.child.stdout.pause();
    for (let count = 0; count < 8; count += 1) this.client.call(name, 'oversize', MEGABYTE);
    await delay(STALL_MS);
    this.client.child.stdout.resume();
  }
}
