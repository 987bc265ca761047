import process from 'node:process';

import { afterEach, describe, expect, it } from 'vitest';

import type { ServerConfig } from '../server/config/server-config.js';
import { type DualOptions, dualProgram, DualRemote } from '../testing/dual-program.js';
import { modernLine } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { textOf } from '../testing/mux-rig.js';
import type { ServerStatus } from '../tools/status/server-status.js';
import type { Mux } from './mux-api.js';
import type { MuxOptions } from './mux-options.js';
import { createMux } from './mux.js';

type Era = 'legacy' | 'modern';
type ToolName = 'era' | 'pid' | 'ask' | 'sample' | 'ask_by_input' | 'touch';

const CAPABILITIES = { elicitation: { form: {} }, sampling: {} };
const ANSWERS: Readonly<Record<string, object>> = {
  'elicitation/create': { action: 'accept', content: { v: 'so' } },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'so' } },
};

interface Answer {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Readonly<Record<string, { readonly method: string }>>;
  };
}

/** A client of one era that answers every question. */
class Client {
  private lastId = 0;

  private constructor(
    readonly wire: MuxClient,
    readonly era: Era,
    private readonly capabilities: object,
  ) {}

  static async open(mux: Mux, era: Era, capabilities: object = CAPABILITIES): Promise<Client> {
    if (era === 'legacy')
      return new Client(await MuxClient.initialized(mux, capabilities), era, capabilities);
    const client = new Client(new MuxClient(mux), era, capabilities);
    await client.request('tools/list', {});
    return client;
  }

  /** Calls a tool of the one server, and resolves with the text of its result. */
  async call(tool: ToolName, args: object = {}): Promise<string> {
    const name = `v__${tool}`;
    let more: object = {};
    for (;;) {
      const { result } = await this.request('tools/call', { name, arguments: args, ...more });
      if (result?.resultType !== 'input_required') return textOf(result);
      const asked = Object.entries(result.inputRequests ?? {});
      const inputResponses = Object.fromEntries(asked.map(([key, { method }]) => [key, ANSWERS[method]]));
      more = { inputResponses, requestState: result.requestState };
    }
  }

  private async request(method: string, params: object): Promise<Answer> {
    this.lastId += 1;
    const id = String(this.lastId);
    const { capabilities } = this;
    const line =
      this.era === 'modern'
        ? modernLine(id, method, params, { capabilities })
        : JSON.stringify({ jsonrpc: '2.0', id: this.lastId, method, params });
    const from = this.wire.lines.length;
    this.wire.send(line);
    if (this.era === 'legacy') void this.answerQuestions(from, id);
    return JSON.parse(await this.wire.responseLine(id)) as Answer;
  }

  private async answerQuestions(from: number, callId: string): Promise<void> {
    const isQuestion = (line: string): boolean =>
      this.wire.lines.indexOf(line) >= from && line.includes('"method":"') && line.includes('"id":');
    const question = this.wire.line(isQuestion);
    const first = await Promise.race([question, this.wire.responseLine(callId)]);
    const { id, method = '' } = JSON.parse(first) as { id: unknown; method?: string };
    const answer = ANSWERS[method];
    if (answer !== undefined) this.wire.answer(id, answer);
  }
}

const remotes: DualRemote[] = [];

afterEach(async () => {
  await Promise.all(remotes.splice(0).map((remote) => remote[Symbol.asyncDispose]()));
});

type Where = 'over stdio' | 'at a url';

async function configOf(where: Where, options: DualOptions = {}): Promise<ServerConfig> {
  if (where === 'over stdio') return dualProgram(options);
  const remote = await DualRemote.open(options);
  remotes.push(remote);
  return { url: remote.url };
}

/** A host that expects clients of both eras, as HTTP and `--shared` do: the server runs before they come. */
const FRONT: MuxOptions = { firstEra: 'modern' };

/** What a client gets from the server alone. In the modern era the server cannot send requests. */
const ALONE: Readonly<Record<Era, Readonly<Record<'ask' | 'sample' | 'ask_by_input', RegExp>>>> = {
  legacy: { ask: /"so"/, sample: /"so"/, ask_by_input: /"so"/ },
  modern: { ask: /2026-07-28|"so"/, sample: /2026-07-28|"so"/, ask_by_input: /"so"/ },
};

async function getsAll(client: Client): Promise<void> {
  const { era } = client;
  for (const tool of ['ask', 'sample', 'ask_by_input'] as const)
    expect(await client.call(tool), `${tool} of a ${era} client`).toMatch(ALONE[era][tool]);
}

/** The status of the one server. */
function statusOf(mux: Mux): Partial<ServerStatus> {
  return mux.listServers()[0] ?? {};
}

describe.each<Where>(['over stdio', 'at a url'])('a server of both eras, %s', (where) => {
  it.each<Era>(['legacy', 'modern'])(
    'gives a %s client of its own all that it gives it alone',
    async (era) => {
      await using mux = createMux();
      const client = await Client.open(mux, era);
      await mux.addServer('v', await configOf(where));
      await getsAll(client);
      expect(await client.call('era')).toBe(era);
      expect(statusOf(mux).second_run).toBeUndefined();
    },
  );

  it.each<Era>(['legacy', 'modern'])(
    'gives a %s client of a front all that it gives it alone',
    async (era) => {
      await using mux = createMux(FRONT);
      await mux.addServer('v', await configOf(where));
      const client = await Client.open(mux, era);
      await getsAll(client);
      expect(await client.call('era')).toBe(era);
    },
  );

  it.each<readonly [Era, Era, string, MuxOptions]>([
    ['legacy', 'modern', 'mux', {}],
    ['modern', 'legacy', 'mux', {}],
    ['legacy', 'modern', 'front', FRONT],
    ['modern', 'legacy', 'front', FRONT],
  ])('gives a %s client, and then a %s one of the same %s, what it gives each alone', async (...given) => {
    const [first, second, , options] = given;
    await using mux = createMux(options);
    const one = await Client.open(mux, first);
    await mux.addServer('v', await configOf(where));
    await getsAll(one);
    const other = await Client.open(mux, second);
    await getsAll(other);
    await getsAll(one);
    // The bridge for the modern client of a program that runs in the legacy era loses nothing here.
    const hasOneRun = where === 'over stdio' && first === 'legacy';
    const ofSecondRun = options === FRONT ? 'legacy' : second;
    expect(statusOf(mux).second_run?.era).toBe(hasOneRun ? undefined : ofSecondRun);
  });

  it('gives a modern client and a legacy one that call at the same time what it gives each alone', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await configOf(where));
    const modern = await Client.open(mux, 'modern');
    await modern.call('era');
    const legacy = await Client.open(mux, 'legacy');
    await Promise.all([getsAll(modern), getsAll(legacy)]);
    await Promise.all([getsAll(legacy), getsAll(modern)]);
    expect(statusOf(mux)).toMatchObject({ era: 'modern', second_run: { era: 'legacy' } });
  });

  it('tells each of them, while both are there, of the changes that either makes', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await configOf(where));
    const modern = await Client.open(mux, 'modern');
    await modern.call('era');
    const legacy = await Client.open(mux, 'legacy');
    await legacy.wire.request('resources/subscribe', { uri: 'memo:///a' });
    const updates = (): number => legacy.wire.count('notifications/resources/updated');
    const isTold = async (client: Client): Promise<boolean> => {
      const before = updates();
      await client.call('touch');
      return updates() > before;
    };
    // A call may overtake the subscription, or the answer what it causes.
    await expect.poll(() => isTold(legacy)).toBe(true);
    await expect.poll(() => isTold(modern)).toBe(true);
    expect(statusOf(mux)).toMatchObject({ era: 'modern', second_run: { era: 'legacy' } });
  });

  it('of the modern era alone is left to the bridge, and asked once whether it has the other', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await configOf(where, { legacy: 'reject', hasSessions: false }));
    const modern = await Client.open(mux, 'modern');
    await modern.call('era');
    const legacy = await Client.open(mux, 'legacy');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ status: 'running', era: 'modern', restarts: 0 });
    expect(statusOf(mux).second_run).toBeUndefined();
    expect(statusOf(mux).warnings).toBeUndefined();
  });

  it('has one run where its configuration names the era', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await configOf(where)), protocol: 'modern' });
    const legacy = await Client.open(mux, 'legacy');
    expect(await legacy.call('ask')).toContain('2026-07-28');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ era: 'modern', restarts: 0 });
    expect(statusOf(mux).second_run).toBeUndefined();
  });

  it('has one run for clients that it cannot ask anything', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await configOf(where));
    const legacy = await Client.open(mux, 'legacy', {});
    expect(await legacy.call('era')).toBe('modern');
    expect(statusOf(mux)).toMatchObject({ era: 'modern', restarts: 0 });
    expect(statusOf(mux).second_run).toBeUndefined();
  });
});

describe('the program of a server of both eras', () => {
  it('runs once while all of its clients speak one era, and a second time for those of the other', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram());
    const one = await Client.open(mux, 'legacy');
    const both = await Promise.all([one.call('pid'), one.call('pid')]);
    expect(statusOf(mux)).toMatchObject({ era: 'legacy', restarts: 1 });
    expect(both).toEqual([String(statusOf(mux).pid), String(statusOf(mux).pid)]);
    // Of the two bridges, that of the modern client loses nothing here.
    const modern = await Client.open(mux, 'modern');
    expect(await modern.call('pid')).toBe(both[0]);
    expect(await modern.call('ask')).toMatch(/"so"/);
  });

  it('runs twice for clients of both eras, and each keeps its process', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram());
    const modern = await Client.open(mux, 'modern');
    const first = await modern.call('pid');
    const legacy = await Client.open(mux, 'legacy');
    const [second, third] = await Promise.all([legacy.call('pid'), legacy.call('pid')]);
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    const version = '2025-11-25';
    const shown = { era: 'legacy', protocol_version: version, pid: Number(second) };
    expect(statusOf(mux)).toMatchObject({ pid: Number(first), era: 'modern', second_run: shown });
    expect(await modern.call('pid')).toBe(first);
  });

  it('goes on in the modern era when it does not start in the other, and says so', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram({ breaksInLegacy: true }));
    const legacy = await Client.open(mux, 'legacy');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ status: 'running', era: 'modern' });
    expect(statusOf(mux).warnings?.[0]).toMatch(/^the second run, for clients of the legacy era, has failed/);
    expect(await legacy.call('era')).toBe('modern');
  });

  it('goes on for the others when the process of the second run ends, which is started anew when needed', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram());
    const modern = await Client.open(mux, 'modern');
    const first = await modern.call('pid');
    const legacy = await Client.open(mux, 'legacy');
    process.kill(Number(await legacy.call('pid')), 'SIGKILL');
    await expect.poll(() => statusOf(mux).second_run).toBeUndefined();
    expect(statusOf(mux).warnings?.[0]).toMatch(/^the second run, for clients of the legacy era, has failed/);
    expect(await modern.call('pid')).toBe(first);
    expect(await legacy.call('pid')).toBe(first);
    await mux.reloadServer('v');
    expect(statusOf(mux).warnings).toBeUndefined();
    await modern.call('pid');
    expect(await legacy.call('ask')).toMatch(/"so"/);
  });
});

describe('a url of both eras without sessions', () => {
  it('is asked nothing in the legacy era: questions in results are put to the client all the same', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await configOf('at a url', { hasSessions: false }));
    const legacy = await Client.open(mux, 'legacy');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(await legacy.call('era')).toBe('modern');
    expect(statusOf(mux).warnings).toBeUndefined();
  });
});
