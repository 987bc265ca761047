import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';
import { COLLECT_MS } from './request-questions.js';

const FORMS = { capabilities: { elicitation: {} } };
const COUNT = 3;
const REFUSED = -32_602;
const SERVER = { tools: ['t'], capabilities: { resources: { subscribe: true }, tasks: {} } };
/** As all SDK clients call theirs. */
const LISTEN = '"listen:0"';

interface ReceivedMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly code: number };
  readonly result?: { readonly requestState?: string };
  readonly params?: { readonly notifications?: object };
}

const at = fc.nat({ max: COUNT - 1 });
const STEPS = fc.array(
  fc.record({
    kind: fc.constantFrom('park', 'listen', 'update', 'task', 'status', 'leave', 'expire', 'again', 'tamper'),
    client: at,
    server: at,
  }),
  { maxLength: 25 },
);
type Step = Parameters<Crowd['step']>[0];

/** Clients that come and go, with the same ids, and servers that give out the same ids of tasks. */
class Crowd {
  readonly rig = new SessionsRig();
  readonly servers: RigServer[] = [];
  readonly clients: RigClient[] = [];
  /** The resource that the listener of each client names. */
  private readonly listening = new Map<RigClient, string>();
  /** Whose each task is, by server and number. */
  private readonly tasks = new Map<string, RigClient>();
  private readonly states: { readonly client: RigClient; readonly state: string; readonly server: number }[] =
    [];
  readonly wrong: string[] = [];
  private calls = 0;

  static async open(): Promise<Crowd> {
    const crowd = new Crowd();
    for (let each = 0; each < COUNT; each += 1) {
      crowd.servers.push(crowd.rig.server(`s${each}`, { ...SERVER, resources: [`s${each}:r`] }));
      crowd.clients.push(await crowd.rig.client({ elicitation: {}, tasks: {} }));
    }
    return crowd;
  }

  async step({ kind, client: slot, server: number }: { kind: string; client: number; server: number }) {
    const [client, server] = [this.clients[slot], this.servers[number]];
    if (client === undefined || server === undefined) throw new Error('no peers');
    switch (kind) {
      case 'park':
        // A question of a legacy server does not name its call: the calls that ask share no server.
        return this.park(client, slot);
      case 'listen':
        return this.listen(client, server, `s${number}:r`);
      case 'update':
        return this.update(server, `s${number}:r`);
      case 'task':
        return this.makeTask(client, server, number);
      case 'status':
        return this.reportStatus(server, number);
      case 'leave':
        return this.replace(slot, client);
      case 'expire':
        this.rig.clock.advance(DEFAULT_LIMITS.parkMs + COLLECT_MS);
        await client.exchange();
        return this.check('parked beyond its time', this.rig.modern.parkedCount, 0);
      case 'again':
        return this.useAgain();
      default:
        return this.tamper();
    }
  }

  private check(what: string, found: unknown, wanted: unknown): void {
    const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
    if (one !== other) this.wrong.push(`${what}: ${one} instead of ${other}`);
  }

  async end(): Promise<void> {
    for (const client of this.clients) await client.leave();
    await this.answerSubscriptions();
    this.check('parked in the end', this.rig.modern.parkedCount, 0);
    this.check('timers', this.rig.clock.timerCount, 0);
    const open = this.servers.flatMap(({ connection }) => [...connection.calls.callOrigins()]);
    this.check('calls in flight', open.length, 0);
  }

  private async park(client: RigClient, number: number): Promise<void> {
    const server = this.servers[number];
    this.calls += 1;
    const id = `c${this.calls}`;
    await client.exchange(modernLine(`"${id}"`, 'tools/call', { name: `s${number}__t` }, FORMS));
    await server?.ask(`"q${this.calls}"`, 'elicitation/create', '{"message":"?"}');
    this.rig.clock.advance(COLLECT_MS);
    await client.exchange();
    const asked = reported(client).find((line) => line.id === id);
    this.check('was asked', typeof asked?.result?.requestState, 'string');
    this.states.push({ client, server: number, state: asked?.result?.requestState ?? '' });
  }

  private async listen(client: RigClient, server: RigServer, uri: string): Promise<void> {
    if (this.listening.has(client)) return;
    this.listening.set(client, uri);
    await client.exchange(
      modernLine(LISTEN, 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } }),
    );
    await this.answerSubscriptions();
    await server.exchange();
    const acknowledged = reported(client).at(-1)?.params?.notifications;
    this.check('acknowledged', acknowledged, { resourceSubscriptions: [uri] });
  }

  private async update(server: RigServer, uri: string): Promise<void> {
    const counts = await this.countsAfter('notifications/resources/updated', () =>
      server.report('notifications/resources/updated', `{"uri":"${uri}"}`),
    );
    const expected = this.clients.map((client) => (this.listening.get(client) === uri ? 1 : 0));
    this.check('updates', counts, expected);
  }

  private async makeTask(client: RigClient, server: RigServer, number: number): Promise<void> {
    const task = `t${[...this.tasks.keys()].filter((key) => key.startsWith(`${number}:`)).length}`;
    const params = `{"name":"s${number}__t","arguments":{},"task":{"ttl":60000}}`;
    await client.request(`"task ${number} ${task}"`, 'tools/call', params);
    const { id } = JSON.parse(server.received.at(-1) ?? '{}') as ReceivedMessage;
    await server.exchange(`{"jsonrpc":"2.0","id":${String(id)},"result":{"task":${taskOf(task)}}}`);
    this.tasks.set(`${number}:${task}`, client);
  }

  private async reportStatus(server: RigServer, number: number): Promise<void> {
    const owner = this.tasks.get(`${number}:t0`);
    if (owner === undefined) return;
    const counts = await this.countsAfter('notifications/tasks/status', () =>
      server.report('notifications/tasks/status', taskOf('t0')),
    );
    const expected = this.clients.map((client) => (client === owner ? 1 : 0));
    this.check('statuses of tasks', counts, expected);
  }

  private async replace(slot: number, client: RigClient): Promise<void> {
    await client.leave();
    this.listening.delete(client);
    await this.answerSubscriptions();
    this.clients[slot] = await this.rig.client({ elicitation: {}, tasks: {} });
  }

  /** A state whose client has gone, whose time is over, or that was used, continues nothing. */
  private async useAgain(): Promise<void> {
    const [used] = this.states;
    if (used === undefined) return;
    const by = this.clients.includes(used.client) ? used.client : this.clients[0];
    await this.retry(by, used.state, used.server);
    this.check('used', await this.retry(by, used.state, used.server), REFUSED);
  }

  private async tamper(): Promise<void> {
    const [some] = this.states;
    if (some === undefined || !this.clients.includes(some.client)) return;
    this.check('tampered', await this.retry(some.client, `${some.state}A`, some.server), REFUSED);
  }

  /** Sends a retry. Gives the code of the error that answers it. */
  private async retry(client: RigClient | undefined, requestState: string, server: number) {
    this.calls += 1;
    const params = { name: `s${server}__t`, inputResponses: {}, requestState };
    const id = `r${this.calls}`;
    await client?.exchange(modernLine(`"${id}"`, 'tools/call', params, FORMS));
    return client && reported(client).find((line) => line.id === id)?.error?.code;
  }

  private async countsAfter(method: string, act: () => Promise<unknown>): Promise<readonly number[]> {
    const count = (client: RigClient) => reported(client).filter((line) => line.method === method).length;
    const before = this.clients.map(count);
    await act();
    return this.clients.map((client, slot) => count(client) - (before[slot] ?? 0));
  }

  private async answerSubscriptions(): Promise<void> {
    for (const server of this.servers) {
      const open = server.received
        .map((line) => JSON.parse(line) as ReceivedMessage)
        .filter(({ method }) => method?.endsWith('subscribe'));
      for (const { id } of open) await server.exchange(`{"jsonrpc":"2.0","id":${String(id)},"result":{}}`);
    }
  }
}

function reported({ lines }: RigClient): readonly ReceivedMessage[] {
  return lines.map((line) => JSON.parse(line) as ReceivedMessage);
}

function taskOf(taskId: string): string {
  const time = '2026-01-01T00:00:00Z';
  return JSON.stringify({ taskId, status: 'working', createdAt: time, lastUpdatedAt: time, ttl: 60_000 });
}

describe('clients of both eras that lose their connections', () => {
  it('get the events of their listeners and tasks alone, and leave no parked call behind', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps: readonly Step[]) => {
        const crowd = await Crowd.open();
        for (const step of steps) await crowd.step(step);
        await crowd.end();
        expect(crowd.wrong).toEqual([]);
      }),
      propertyRuns(25),
    );
  }, 60_000);
});
