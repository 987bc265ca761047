import { labelledQueries, readRealServers, type RealServer } from '@mcpmux/testing/real-tools';
import { describe, expect, it } from 'vitest';

import type { ExposureOptions } from '../catalog/exposure/exposure-options.js';
import { FakeSpawner, type FakeRequest } from '../testing/fake-server.js';
import { MuxClient } from '../testing/mux-client.js';
import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';

const SERVERS = readRealServers();
/** How many results an agent looks at: first, and if none of them fits. */
const LOOKS = [5, 30];
const PINNED = new Set(['github__issue_write', 'filesystem__read_text_file', 'slack__slack_post_message']);

const MODES: Readonly<Record<string, ExposureOptions>> = {
  all: {},
  slim: { slim: true },
  'auto, 20,000 tokens': { mode: 'auto' },
  'auto, 5,000 tokens': { mode: 'auto', budget: 5000 },
  'search, with pinned tools': { mode: 'search', isPinned: (tool) => PINNED.has(tool) },
  search: { mode: 'search' },
};

/** The size of lists. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  'auto, 20,000 tokens': 80_500,
  'auto, 5,000 tokens': 20_500,
  'search, with pinned tools': 20_000,
  search: 4000,
};

/** Plans of a scripted agent: thirty tasks over the servers, each with the tools that do it. */
const TASKS = [...labelledQueries()].filter((_, index) => index % 6 === 0).slice(0, 30);

/** A mux with the recorded servers, which answer a call with the name and the arguments of the tool. */
async function recordedMux(exposure: ExposureOptions): Promise<Mux> {
  const spawner = new FakeSpawner(({ args: [name] }) => ({
    intercept: (request, proceed, server) => {
      if (request.method === 'tools/list') server.answer(request, { tools: recorded(name).tools });
      else if (request.method === 'tools/call') server.answer(request, done(name, request));
      else proceed();
    },
  }));
  const mux = createMux({ exposure }, { spawn: spawner.spawn });
  for (const { server } of SERVERS)
    await mux.addServer(server, { command: process.execPath, args: [server] });
  return mux;
}

function recorded(name: string | undefined): RealServer {
  const found = SERVERS.find(({ server }) => server === name);
  if (found === undefined) throw new Error(`no recorded server ${name}`);
  return found;
}

function done(server: string | undefined, { params }: FakeRequest): object {
  return { content: [{ type: 'text', text: JSON.stringify([server, params]) }] };
}

/** An agent with fixed plans: a tool of its list, else one that it finds, with a longer look if need be. */
class Agent {
  /** Searches that showed no fitting tool. */
  missed = 0;
  private constructor(
    private readonly client: MuxClient,
    private readonly listed: readonly string[],
    readonly listBytes: number,
  ) {}

  static async of(mux: Mux): Promise<Agent> {
    const client = await MuxClient.initialized(mux);
    const tools = await client.tools();
    return new Agent(
      client,
      tools.map(({ name }) => String(name)),
      JSON.stringify(tools).length,
    );
  }

  async complete([query, fitting]: readonly [string, readonly string[]]) {
    const args = { note: query };
    const known = this.listed.find((name) => fitting.includes(name));
    if (known !== undefined) return this.client.call(known, args);
    for (const limit of LOOKS) {
      const found = await this.client.manage('search_tools', { query, limit });
      const tools = found['tools'] as readonly { readonly name: string }[];
      const name = tools.find((tool) => fitting.includes(tool.name))?.name;
      if (name !== undefined) return this.client.call('call_tool', { name, arguments: args });
      this.missed += 1;
    }
    throw new Error(`no tool found for: ${query}`);
  }
}

describe.each(Object.entries(MODES))('in the mode %s', (mode, exposure) => {
  it('an agent completes 30 tasks with the tools of 19 real servers', async () => {
    await using mux = await recordedMux(exposure);
    const agent = await Agent.of(mux);
    for (const task of TASKS) {
      const { result } = await agent.complete(task);
      expect(JSON.stringify(result)).toContain(task[0]);
    }
    expect(agent.missed).toBeLessThanOrEqual(3);
    expect(TASKS).toHaveLength(30);
    // The mode all has 700 KB. A budget counts no commas.
    expect(agent.listBytes).toBeLessThan(MOST_BYTES[mode] ?? 1e6);
  });
});
