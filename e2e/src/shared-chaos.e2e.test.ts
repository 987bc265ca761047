import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { seededRandom, type SeededRandom } from '@mcpmux/testing/seeded-random';
import { describe, expect, it, vi } from 'vitest';

import { processesWith } from './chaos/process-files.js';
import { commandOutput } from './testing/command-output.js';
import { fixtureServer } from './testing/fixture-server.js';
import type { RawCli } from './testing/raw-cli.js';
import { serversOf, SharedWindows, untilListed } from './testing/shared-windows.js';
import { textOf } from './testing/tool-response.js';

const SEEDS = Array.from({ length: Number(process.env['SHARED_SEEDS'] ?? 2) }, (_, seed) => seed + 1);
const EVENTS = 8;
/** A secret of the server, which nobody writes. */
const TOKEN = `canary-5d1c-${process.pid}`;
/** Signs of a defect in what a process has written. */
const SIGNS = ['unhandledRejection', 'uncaughtException', 'MaxListenersExceeded', 'Warning:', TOKEN];

interface Outcomes {
  answered: number;
  crossed: number;
  failed: number;
}

/** What is done to windows, in an order that the seed decides. A kill of the shared process comes twice as often. */
const EVENT_KINDS = [
  'kill',
  'kill',
  'terminate',
  'restart',
  'kill server',
  'kill window',
  'come and go',
] as const;

class Storm {
  readonly history: string[] = [];

  constructor(
    private readonly shared: SharedWindows,
    private readonly windows: readonly RawCli[],
    private readonly random: SeededRandom,
  ) {}

  async event(): Promise<void> {
    const kind = this.random.pick(EVENT_KINDS);
    this.history.push(kind);
    switch (kind) {
      case 'kill':
      case 'terminate':
        return this.end(await this.shared.processes(), kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
      case 'restart':
        return void (await commandOutput(['restart'], this.shared.environment).catch(() => undefined));
      case 'kill server':
        return this.end(await this.server(), 'SIGKILL');
      case 'kill window': {
        const window = await this.shared.window();
        window.write('{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"e__echo"}}');
        window.child.kill('SIGKILL');
        return void (await window.ended);
      }
      case 'come and go':
        return (await this.shared.window())[Symbol.asyncDispose]();
    }
  }

  private async server(): Promise<readonly number[]> {
    const [window] = this.windows;
    const servers = window === undefined ? [] : await serversOf(window);
    return servers.flatMap(({ pid }) => pid ?? []);
  }

  private end(pids: readonly number[], signal: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

/** Calls without a pause until `over`, and never the next call before the answer. */
async function work(window: RawCli, name: string, outcomes: Outcomes, over: AbortSignal): Promise<void> {
  for (let n = 0; !over.aborted; n += 1) {
    const message = `${name} ${n}`;
    const params = { name: 'e__echo', arguments: { message } };
    const response = await window.request('tools/call', params, 5000 + n);
    const { result, error } = response;
    // A server that is starting, or was killed, refuses, or is not known yet.
    const isEcho = error === undefined && result?.['isError'] !== true;
    if (isEcho) outcomes[textOf(response) === message ? 'answered' : 'crossed'] += 1;
    else outcomes.failed += 1;
    if (!isEcho) await setTimeout(5);
  }
}

/** The text of the logs of shared processes. */
async function logsOf({ runFolder }: SharedWindows): Promise<string> {
  const logs = (await readdir(runFolder)).filter((name) => name.endsWith('.log'));
  return (await Promise.all(logs.map((name) => readFile(join(runFolder, name), 'utf8')))).join('\n');
}

/** The difference between the processes of the server, of whatever mcpmux, and those that a window knows. */
async function unlisted(window: RawCli | undefined): Promise<readonly number[]> {
  const listed = window === undefined ? [] : (await serversOf(window)).map(({ pid = 0 }) => pid);
  const running = processesWith('TOKEN', TOKEN);
  return [
    ...running.filter((pid) => !listed.includes(pid)),
    ...listed.filter((pid) => !running.includes(pid)),
  ];
}

describe.runIf(process.platform === 'linux')(
  'windows whose processes are killed and restarted at random',
  () => {
    it.each(SEEDS)(
      'A13: get one answer to each request, and never that of another: seed %i',
      async (seed) => {
        const e = { ...fixtureServer('echo'), env: { TOKEN }, mux: { shared: true, restart: 'always' } };
        await using shared = await SharedWindows.open({ e });
        const random = seededRandom(seed);
        const windows = await Promise.all(Array.from({ length: 4 }, () => shared.window()));
        await Promise.all(windows.map((window) => untilListed(window, 'e__echo')));
        const outcomes = { answered: 0, crossed: 0, failed: 0 };
        const over = new AbortController();
        const works = windows.map((window, at) => work(window, `${seed} ${at}`, outcomes, over.signal));
        const storm = new Storm(shared, windows, random);
        for (let event = 0; event < EVENTS; event += 1) {
          const wanted = outcomes.answered + 20;
          await vi.waitUntil(() => outcomes.answered >= wanted, { timeout: 30_000 });
          await setTimeout(random.integerBelow(200));
          await storm.event();
        }
        await Promise.all(windows.map((window) => untilListed(window, 'e__echo')));
        over.abort();
        await Promise.all(works);
        expect({ crossed: outcomes.crossed, history: storm.history }).toMatchObject({ crossed: 0 });
        expect(outcomes.answered).toBeGreaterThan(50);
        const texts = [await logsOf(shared), ...windows.flatMap(({ stderr, lines }) => [stderr, ...lines])];
        for (const sign of SIGNS) expect(texts.filter((text) => text.includes(sign))).toEqual([]);
        for (const { messages } of windows) {
          const ids = messages.flatMap(({ id, method }) => (method === undefined ? [id] : []));
          expect(new Set(ids).size).toBe(ids.length);
        }
        await expect.poll(() => shared.processes(), { timeout: 10_000 }).toHaveLength(1);
        // Of every process that was killed no server is left.
        await expect.poll(() => unlisted(windows[0]), { timeout: 10_000 }).toEqual([]);
        await Promise.all(windows.map((window) => window[Symbol.asyncDispose]()));
      },
    );
  },
);
