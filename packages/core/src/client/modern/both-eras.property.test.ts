import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient, type RigServer } from '../../testing/sessions-rig.js';
import { COLLECT_MS } from './request-questions.js';

const CAPABILITIES = { elicitation: {} };
const CLIENTS = 3;

interface Received {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly progressToken?: string; readonly message?: string };
  readonly result?: {
    readonly mark?: string;
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
  };
}

interface Call {
  readonly client: number;
  readonly mark: string;
  readonly isModern: boolean;
  /** As the server knows it. */
  readonly callId: number;
  /** The ids under which its client has sent it. */
  readonly ids: string[];
  state?: string | undefined;
  isOver: boolean;
}

type Step =
  | { readonly kind: 'call'; readonly client: number; readonly isModern: boolean }
  | { readonly kind: 'ask' | 'answer' | 'progress' | 'retry' | 'cancel' | 'replay'; readonly which: number };

const STEPS = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('call' as const),
      client: fc.nat({ max: CLIENTS - 1 }),
      isModern: fc.boolean(),
    }),
    fc.record({
      kind: fc.constantFrom('ask', 'answer', 'progress', 'retry', 'cancel', 'replay'),
      which: fc.nat(),
    }) as fc.Arbitrary<Step>,
  ),
  { maxLength: 30 },
);

/** Clients that use both eras at once, with the same ids, and a server of which each knows one tool. */
class Mixed {
  readonly rig = new SessionsRig();
  readonly clients: RigClient[] = [];
  readonly servers: RigServer[] = [];
  readonly calls: Call[] = [];
  /** How retries of one client with the states of another were answered. */
  readonly stolen: unknown[] = [];

  static async open(): Promise<Mixed> {
    const mixed = new Mixed();
    for (let client = 0; client < CLIENTS; client += 1) {
      mixed.servers.push(mixed.rig.server(`s${client}`, { tools: ['t'] }));
      mixed.clients.push(await mixed.rig.client(CAPABILITIES));
    }
    return mixed;
  }

  async step(step: Step): Promise<void> {
    if (step.kind === 'call') return this.call(step.client, step.isModern);
    const call = this.calls[step.which % Math.max(1, this.calls.length)];
    if (call === undefined) return;
    const server = this.serverOf(call);
    const { callId, mark } = call;
    switch (step.kind) {
      case 'ask':
        if (call.isOver || !call.isModern || call.state !== undefined) return;
        await server.ask(`"${mark}"`, 'elicitation/create', `{"message":"${mark}"}`);
        this.rig.clock.advance(COLLECT_MS);
        return this.flush();
      case 'progress':
        return void (await server.report(
          'notifications/progress',
          `{"progressToken":${callId},"progress":1}`,
        ));
      case 'answer':
        call.isOver = true;
        return void (await server.exchange(`{"jsonrpc":"2.0","id":${callId},"result":{"mark":"${mark}"}}`));
      case 'retry':
        return this.retry(call);
      case 'replay':
        return call.state === undefined ? undefined : this.replay(call);
      case 'cancel': {
        const requestId = call.ids.at(-1);
        if (call.state !== undefined) return;
        call.isOver = true;
        const line = JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId },
        });
        await this.clients[call.client]?.exchange(line);
      }
    }
  }

  /** Everything that a client was sent, and must not have been. */
  get strays(): readonly string[] {
    return this.clients.flatMap(({ lines }, client) =>
      lines.filter((line) => {
        const { id, params, result } = JSON.parse(line) as Received;
        const said = [id, params?.progressToken, result?.mark].filter((text) => typeof text === 'string');
        return said.some((text) => text.startsWith('m') && !text.startsWith(`m${client}-`));
      }),
    );
  }

  /** How many final answers each call has got under any of its ids. */
  answersOf({ client, ids }: Call): number {
    const lines = (this.clients[client]?.lines ?? []).map((line) => JSON.parse(line) as Received);
    return lines.filter(
      ({ id, result }) => id !== undefined && ids.includes(id) && result?.mark !== undefined,
    ).length;
  }

  private async call(client: number, isModern: boolean): Promise<void> {
    const number = this.calls.length;
    const mark = `m${client}-${number}`;
    const [name, server] = [`s${client}__t`, this.servers[client]];
    const params = { name, arguments: { mark } };
    const meta = { progressToken: mark };
    const line = isModern
      ? modernLine(`"${mark}"`, 'tools/call', params, { capabilities: CAPABILITIES, meta })
      : JSON.stringify({
          jsonrpc: '2.0',
          id: mark,
          method: 'tools/call',
          params: { ...params, _meta: meta },
        });
    await this.clients[client]?.exchange(line);
    const { id: callId } = JSON.parse(server?.received.at(-1) ?? '{}') as { id: number };
    this.calls.push({ client, mark, isModern, callId, ids: [mark], isOver: false });
  }

  /** Collects the states that clients were given. */
  private async flush(): Promise<void> {
    await this.clients[0]?.exchange();
    for (const call of this.calls) {
      const last = (this.clients[call.client]?.lines ?? [])
        .map((line) => JSON.parse(line) as Received)
        .findLast(({ id }) => id !== undefined && id === call.ids.at(-1));
      if (last?.result?.requestState !== undefined) call.state = last.result.requestState;
    }
  }

  private async retry(call: Call): Promise<void> {
    const { state } = call;
    if (state === undefined) return;
    call.state = undefined;
    const id = `${call.mark}r${call.ids.length}`;
    call.ids.push(id);
    await this.sendRetry(call, id, state);
    this.rig.clock.advance(COLLECT_MS);
    await this.flush();
  }

  /** The retry of another client with this state. */
  private async replay(call: Call): Promise<void> {
    const other = { ...call, client: (call.client + 1) % CLIENTS };
    const { lines } = this.clients[other.client] ?? { lines: [] };
    await this.sendRetry(other, `"x"`, call.state ?? '');
    const answer = JSON.parse(lines.at(-1) ?? '{}') as { readonly error?: { readonly code: number } };
    this.stolen.push(answer.error?.code);
  }

  private async sendRetry({ client, mark }: Call, id: string, requestState: string): Promise<void> {
    const inputResponses = Object.fromEntries(
      ['r1', 'r2', 'r3', 'r4', 'r5'].map((key) => [key, { action: 'accept' }]),
    );
    const params = {
      name: `s${mark.slice(1, mark.indexOf('-'))}__t`,
      arguments: { mark },
      inputResponses,
      requestState,
    };
    const init = { capabilities: CAPABILITIES, meta: { progressToken: mark } };
    await this.clients[client]?.exchange(modernLine(JSON.stringify(id), 'tools/call', params, init));
  }

  private serverOf({ client }: Call): RigServer {
    const server = this.servers[client];
    if (server === undefined) throw new Error('no server');
    return server;
  }
}

describe('clients that use both eras at once', () => {
  it('get every answer, question and progress once, and none of another', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const mixed = await Mixed.open();
        for (const step of steps) await mixed.step(step);
        expect(mixed.strays).toEqual([]);
        expect(mixed.stolen.filter((code) => code !== -32602)).toEqual([]);
        for (const call of mixed.calls) expect(mixed.answersOf(call)).toBeLessThanOrEqual(1);
        for (const client of mixed.clients) await client.leave();
        expect(mixed.rig.modern.parkedCount).toBe(0);
        expect(mixed.rig.clock.timerCount).toBe(0);
        for (const { connection } of mixed.servers) expect([...connection.calls.callOrigins()]).toEqual([]);
      }),
      propertyRuns(25),
    );
  }, 60_000);
});

/** Several times as many as may be parked at once. */
const ASKED_CALLS = 500;

describe('many calls that were asked something', () => {
  it.each(['gone', 'late'])(
    'leave nothing behind: %s',
    async (end) => {
      const rig = new SessionsRig();
      const server = rig.server('x', { tools: ['t'] });
      const client = rig.stranger();
      const init = { capabilities: CAPABILITIES };
      for (let call = 1; call <= ASKED_CALLS; call += 1) {
        await client.exchange(modernLine(String(call), 'tools/call', { name: 'x__t' }, init));
        server.peer.send(
          `{"jsonrpc":"2.0","id":"q${call}","method":"elicitation/create","params":{"message":"?"}}`,
        );
        await server.exchange();
        rig.clock.advance(COLLECT_MS);
        client.take();
      }
      expect(rig.modern.parkedCount).toBe(128);
      if (end === 'gone') await client.leave();
      else rig.clock.advance(3_600_000);
      await server.exchange();
      expect(rig.modern.parkedCount).toBe(0);
      expect(rig.clock.timerCount).toBe(0);
      expect([...server.connection.calls.callOrigins()]).toEqual([]);
      expect(server.received.filter((line) => line.includes('"action":"cancel"'))).toHaveLength(ASKED_CALLS);
      expect(server.received.filter((line) => line.includes('notifications/cancelled'))).toHaveLength(
        ASKED_CALLS,
      );
    },
    60_000,
  );
});
