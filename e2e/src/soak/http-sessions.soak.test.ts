import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { expect, it } from 'vitest';

import { descriptorsOf, memoryOf } from '../chaos/process-files.js';
import { fixtureServer } from '../testing/fixture-server.js';
import { ACCEPT, HttpCli, type RawAnswer } from '../testing/http-cli.js';
import { report, setting } from './soak-cli.js';

const SECONDS = setting('SOAK_SECONDS', 60);
/** So many clients come and go at the same time. */
const CLIENTS = 40;
const CALLS = 4;
const SLOW_MS = 20;
/** Longer than an answer takes that leaves in one piece: then it is a stream. */
const LATE_MS = 1300;
const MAX_GROWTH_MEGABYTES = 20;
const MAX_MORE_DESCRIPTORS = 3;

type Headers = Readonly<Record<string, string>>;

/** What a client does amid its session, one in turn. */
const HABITS: readonly ((client: SoakClient) => Promise<unknown>)[] = [
  (client) => client.call('echo'),
  (client) => client.listen(),
  (client) => client.leaveAmid(SLOW_MS),
  (client) => client.comeBack(),
  (client) => client.cancelled(),
];

/** One client: a session from `initialize` to DELETE. */
class SoakClient {
  private nextId = 2;

  private constructor(
    private readonly cli: HttpCli,
    private readonly headers: Headers,
  ) {}

  static async open(cli: HttpCli): Promise<SoakClient> {
    const session = await cli.session();
    const headers = { ...ACCEPT, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
    const client = new SoakClient(cli, headers);
    await client.post({ method: 'notifications/initialized' });
    return client;
  }

  /** Adds the server that all clients call. */
  async add(): Promise<void> {
    const server = { name: 'e', ...fixtureServer('faulty') };
    const { text } = await this.post({
      id: 1,
      method: 'tools/call',
      params: { name: 'add_server', arguments: server },
    });
    mustHold(text, 'running');
  }

  /** Calls, and gets its own answer. */
  async call(tool: 'echo' | 'slow', n = 0): Promise<void> {
    const nonce = `${this.headers['mcp-session-id'] ?? ''} ${this.nextId}`;
    const { status, text } = await this.post(this.request(tool, nonce, n));
    mustHold(`${status} ${text}`, '200 ');
    mustHold(text, nonce);
  }

  /** Opens the stream of its session, and lets it end with the session. */
  listen(): Promise<IncomingMessage> {
    return this.open('GET', this.headers);
  }

  /** Calls, and breaks the connection before the answer. */
  async leaveAmid(n: number): Promise<void> {
    const { hostname, port } = this.cli.url;
    const body = JSON.stringify(this.request('slow', 'left', n));
    const outgoing = request({ hostname, port, method: 'POST', path: '/mcp', headers: this.headers });
    outgoing.on('error', () => undefined).end(body);
    await once(outgoing, 'finish');
    await this.call('echo');
    outgoing.destroy();
  }

  /** Loses the stream of a slow call, and gets the answer behind the last event that it has seen. */
  async comeBack(): Promise<void> {
    const lost = await this.open('POST', this.headers, this.request('slow', 'resumed', LATE_MS));
    const [first] = (await once(lost, 'data')) as [Buffer];
    lost.destroy();
    const lastId = /^id: (.+)$/m.exec(first.toString())?.[1];
    // On a busy machine the answer may come before it was late.
    if (lastId === undefined) return mustHold(first.toString(), 'resumed');
    const { text } = await this.cli.send({ headers: { ...this.headers, 'last-event-id': lastId } });
    mustHold(`${first.toString()}${text}`, 'resumed');
  }

  /** Cancels a call. */
  async cancelled(): Promise<void> {
    const requestId = this.nextId;
    const call = this.post(this.request('slow', 'cancelled', LATE_MS));
    await this.call('echo');
    await this.post({ method: 'notifications/cancelled', params: { requestId } });
    await call;
  }

  async leave(): Promise<void> {
    const { status } = await this.cli.send({ method: 'DELETE', headers: this.headers });
    mustHold(String(status), '200');
  }

  private request(tool: string, nonce: string, n: number): object {
    const id = this.nextId;
    this.nextId += 1;
    return { id, method: 'tools/call', params: { name: `e__${tool}`, arguments: { nonce, n } } };
  }

  private post(message: object): Promise<RawAnswer> {
    return this.cli.send({ method: 'POST', headers: this.headers, body: { jsonrpc: '2.0', ...message } });
  }

  private async open(method: string, headers: Headers, message?: object): Promise<IncomingMessage> {
    const { hostname, port } = this.cli.url;
    const outgoing = request({ hostname, port, method, path: '/mcp', headers, agent: false });
    outgoing.on('error', () => undefined);
    outgoing.end(message && JSON.stringify({ jsonrpc: '2.0', ...message }));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    if (method === 'GET') response.resume();
    return response;
  }
}

/** @throws Error with the whole text if a part is missing */
function mustHold(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(part)} is missing in ${text}`);
}

/** Sessions come and go for so long. Returns their number. */
async function comeAndGo(cli: HttpCli, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let sessions = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const client = await SoakClient.open(cli);
      const habit = HABITS[sessions % HABITS.length];
      sessions += 1;
      for (let call = 0; call < CALLS; call += 1) await client.call('slow', SLOW_MS);
      await habit?.(client);
      await client.leave();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, loop));
  await cli.metric('mcpmux_sessions', 0);
  await cli.metric('mcpmux_requests_in_flight', 0);
  return sessions;
}

it(`I7, I8: sessions over HTTP come and go for ${SECONDS} s: no descriptor, no session and no memory is left`, async () => {
  await using cli = await HttpCli.open({ args: ['--log-level', 'warn'] });
  const first = await SoakClient.open(cli);
  await first.add();
  await first.leave();
  const pid = cli.child.pid ?? 0;
  await comeAndGo(cli, SECONDS / 4);
  const before = { descriptors: descriptorsOf(pid), memory: memoryOf(pid).now };
  const sessions = await comeAndGo(cli, SECONDS);
  const after = { descriptors: descriptorsOf(pid), memory: memoryOf(pid).now };
  report('sessions over HTTP', {
    seconds: SECONDS,
    sessions,
    descriptorsBefore: before.descriptors,
    descriptorsAfter: after.descriptors,
    megabytesBefore: before.memory,
    megabytesAfter: after.memory,
    megabytesPeak: memoryOf(pid).peak,
  });
  expect(after.descriptors - before.descriptors).toBeLessThanOrEqual(MAX_MORE_DESCRIPTORS);
  expect(after.memory - before.memory).toBeLessThan(MAX_GROWTH_MEGABYTES);
});
