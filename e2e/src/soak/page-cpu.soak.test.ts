import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { fixtureServer } from '../testing/fixture-server.js';
import { Person } from '../testing/person.js';
import { RawCli } from '../testing/raw-cli.js';

const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 16);
const WARM_MS = 1000;
const ROUND_MS = 10_000;
const CALLS_PER_SECOND = 5000;
const TURNS_PER_SECOND = 100;
/** A round with fewer calls than that part measures something else. */
const LEAST_RATE = 0.9;
/** The servers beside the one that is called, and the tools of each: with it, mcpmux has 200 servers and 10,000 tools. */
const SERVERS = Number(process.env['SOAK_SERVERS'] ?? 199);
const TOOLS = 50;

/** A server with as many tools, which nobody calls. */
const IDLE_SERVER = `
import { createInterface } from 'node:readline';
const tools = Array.from({ length: ${TOOLS} }, (_, index) => ({
  name: 'tool_' + index,
  description: 'Does the thing with the number ' + index + ', and tells how it went.',
  inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
}));
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'idle', version: '1' },
  },
  'tools/list': { tools },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
`;

function servers(folder: string): Readonly<Record<string, object>> {
  const file = join(folder, 'idle-server.mjs');
  writeFileSync(file, IDLE_SERVER);
  const idle = Array.from({ length: SERVERS }, (_, index) => [
    `idle${index}`,
    { command: process.execPath, args: [file], mux: { protocol: 'legacy' } },
  ]);
  return { ...Object.fromEntries(idle), echo: fixtureServer('echo') };
}

/** Seconds of processor that the threads of a process have used. `stat` counts in 10 ms, which is 6 % of a round. */
function usedBy(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [used = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(used);
  });
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e9;
}

/** Seconds of processor for each call of one round, after the same load for a second: opening a page is not counted. */
async function measured(cli: RawCli): Promise<number> {
  await round(cli, WARM_MS);
  return round(cli, ROUND_MS);
}

async function round(cli: RawCli, ms: number): Promise<number> {
  const pid = Number(cli.child.pid);
  const before = usedBy(pid);
  const had = cli.lines.length;
  const begun = performance.now();
  let sent = 0;
  while (performance.now() < begun + ms) {
    const due = ((performance.now() - begun) / 1000) * CALLS_PER_SECOND;
    while (sent < due) {
      sent += 1;
      const params = { name: 'echo__echo', arguments: { message: 'the text of a call' } };
      cli.write(JSON.stringify({ jsonrpc: '2.0', id: `${had}-${sent}`, method: 'tools/call', params }));
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 / TURNS_PER_SECOND));
  }
  await cli.until(() => cli.lines.length - had >= sent || undefined);
  const rate = (sent / (performance.now() - begun)) * 1000;
  if (rate < CALLS_PER_SECOND * LEAST_RATE)
    throw new Error(`${Math.round(rate)} calls a second, and no more`);
  const used = usedBy(pid) - before;
  cli.lines.length = 0;
  cli.messages.length = 0;
  return used / sent;
}

/** A page as a browser has it: its streams are read, and the overview is read every two seconds. */
class Page implements Disposable {
  private readonly streams: IncomingMessage[] = [];
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly origin: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.timer = setInterval(() => void this.read('overview'), 2000);
  }

  static async open(person: Person, streams: readonly string[]): Promise<Page> {
    const { url } = (await person.json('ui', '--no-open')) as { readonly url: string };
    const { origin, hash } = new URL(url);
    const body = JSON.stringify({ token: hash.slice(1) });
    const login = await fetch(`${origin}/ui/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { key } = (await login.json()) as { readonly key: string };
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const page = new Page(origin, { cookie, 'x-mcpmux-page': key });
    for (const stream of streams) await page.follow(stream);
    return page;
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
    for (const stream of this.streams) stream.destroy();
  }

  private async read(path: string): Promise<void> {
    await (await fetch(`${this.origin}/ui/api/${path}`, { headers: this.headers })).text();
  }

  private follow(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      get(`${this.origin}/ui/api/${path}`, { headers: this.headers }, (response) => {
        this.streams.push(response);
        response.on('error', () => undefined).resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${path}: status ${response.statusCode}`));
      }).on('error', reject);
    });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

it.skipIf(process.platform !== 'linux').each([
  ['a page', ['events'], 1.1],
  ['a page that looks at the messages of that client', ['events', 'messages?session=1'], 1.25],
])('a call costs mcpmux little more with %s open', { timeout: 900_000 }, async (name, streams, most) => {
  await using person = await Person.arrive();
  await person.configure({ mcpServers: servers(person.home) });
  await using cli = new RawCli({ args: ['--log-level', 'info'], env: person.environment, cwd: person.home });
  await cli.initialize();
  await cli.until(() => cli.stderr.split('] server running').length > SERVERS + 1 || undefined);
  await measured(cli);
  const costs: Record<'closed' | 'open', number[]> = { closed: [], open: [] };
  for (let count = 0; count < ROUNDS; count += 1) {
    // Both rounds follow the opening of a page, which is not what is measured.
    (await Page.open(person, streams))[Symbol.dispose]();
    costs.closed.push(await measured(cli));
    using _ = await Page.open(person, streams);
    costs.open.push(await measured(cli));
  }
  const micros = [costs.closed, costs.open].map((all) => Math.round(median(all) * 1e7) / 10);
  // Rounds that follow each other have the same load of the machine beside them.
  const ratio = median(costs.open.map((seconds, at) => seconds / (costs.closed[at] ?? seconds)));
  process.stdout.write(`${JSON.stringify({ name, servers: SERVERS + 1, micros, ratio })}\n`);
  expect(ratio).toBeLessThanOrEqual(most);
});
