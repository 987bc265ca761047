import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { systemSandbox } from '@mcpmux/sandbox/engine';
import { fixtureCommand } from '@mcpmux/test-servers';
import { hasBubblewrap } from '@mcpmux/testing/bubblewrap';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../index.js';
import { MuxRig } from '../testing/mux-rig.js';

const places = { home: homedir(), cwd: process.cwd(), secrets: () => [] };
const programs = { bubblewrap: process.env['MCPMUX_BWRAP'] || undefined };
/**
 * The lifeline of fixtures is a connection to the test. The repository may lie in the folder for temporary files, which
 * is hidden.
 */
const WITH_NETWORK = {
  network: true,
  filesystem: { allowRead: [realpathSync(fileURLToPath(new URL('../../../..', import.meta.url)))] },
};

/** A sandbox that starts programs as they are, and notes what it was asked for. */
function recordingSandbox(asked: unknown[]): Sandbox {
  return {
    confine: async (program, settings) => {
      asked.push({ ...program, env: Object.keys(program.env).toSorted(), settings });
      return {
        program,
        by: 'recording',
        isWatched: false,
        explain: (stderr) => (stderr.length > 0 ? `Its sandbox refused ${stderr[0]}.` : undefined),
      };
    },
  };
}

describe('a server with a sandbox', () => {
  it('is not started by a host without one, and the failure says so', async () => {
    await using rig = await MuxRig.open();
    const added = rig.mux.addServer('a', { ...fixtureCommand('paged'), sandbox: {} });
    await expect(added).rejects.toThrow('it has a sandbox, and the host of this mcpmux provides none');
    expect(rig.lifeline.alive).toEqual([]);
  });

  it('is not started if it cannot be confined', async () => {
    const sandbox: Sandbox = {
      confine: () => Promise.reject(new Error('bubblewrap is not installed. Install it.')),
    };
    await using rig = await MuxRig.open({}, {}, { sandbox });
    const added = rig.mux.addServer('a', { ...fixtureCommand('paged'), sandbox: {} });
    await expect(added).rejects.toThrow('could not be started: bubblewrap is not installed. Install it.');
    expect(rig.lifeline.alive).toEqual([]);
  });

  it('inherits only variables without secrets, unless its entry says more', async () => {
    const asked: { readonly env: readonly string[] }[] = [];
    await using rig = await MuxRig.open({}, { TOKEN_OF_ANOTHER: 'x' }, { sandbox: recordingSandbox(asked) });
    const config = { ...fixtureCommand('paged'), sandbox: WITH_NETWORK };
    const env = { LIFELINE: rig.lifeline.address };
    await rig.mux.addServer('a', { ...config, env });
    await rig.mux.addServer('b', { ...config, inheritEnv: 'all' as const });
    expect(asked.map((one) => one.env.includes('TOKEN_OF_ANOTHER'))).toEqual([false, true]);
    expect(asked[0]).toMatchObject({ settings: WITH_NETWORK, command: process.execPath });
    expect(
      rig.logger.records.find(({ message }) => message === 'started a server process')?.fields,
    ).toMatchObject({ sandbox: 'recording' });
  });

  it('names in its failure what the sandbox has refused', async () => {
    await using rig = await MuxRig.open({}, {}, { sandbox: recordingSandbox([]) });
    const config = {
      command: process.execPath,
      args: ['-e', 'console.error("/x"); process.exit(3)'],
      sandbox: {},
    };
    await expect(rig.mux.addServer('a', config)).rejects.toThrow(
      /exited with code 3[^]*\nIts sandbox refused \/x\./,
    );
  });
});

describe.skipIf(!hasBubblewrap)('processes under bubblewrap', () => {
  async function open() {
    const folder = await temporaryFolder();
    const rig = await MuxRig.open(
      {},
      {},
      { sandbox: systemSandbox({ ...places, caches: folder.path }, programs) },
    );
    const env = { LIFELINE: rig.lifeline.address };
    return {
      rig,
      add: (name: string, config: { readonly command: string; readonly args: readonly string[] }) =>
        rig.mux.addServer(name, { ...config, env, sandbox: WITH_NETWORK }),
      [Symbol.asyncDispose]: async () => {
        await rig[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  }

  it('serve and answer as without a sandbox', async () => {
    await using mux = await open();
    await mux.add('p', fixtureCommand('paged'));
    const { result } = await mux.rig.client.call('p__first');
    expect(result).toMatchObject({ content: expect.any(Array) as unknown });
  });

  it.each([
    ['tree', 3],
    ['setsid-escapee', 2],
  ] as const)('none of %s is left after it was removed', async (fixture, processes) => {
    await using mux = await open();
    await mux.add('t', fixtureCommand(fixture));
    await mux.rig.lifeline.waitForAlive(processes);
    await mux.rig.mux.removeServer('t');
    await expect(mux.rig.allGone()).resolves.toBeUndefined();
  });

  it('a process that has left its group and cleared its environment ends too', async () => {
    await using mux = await open();
    const { command, args } = fixtureCommand('paged');
    const mark = `6${process.pid}${Date.now() % 1000}`;
    const script = `setsid env -i /bin/sleep ${mark} </dev/null >/dev/null 2>&1 & exec "$@"`;
    await mux.add('e', { command: '/bin/sh', args: ['-c', script, 'sh', command, ...args] });
    expect(commandLines().some((line) => line.includes(mark))).toBe(true);
    await mux.rig.mux.removeServer('e');
    expect(commandLines().filter((line) => line.includes(`sleep\0${mark}`))).toEqual([]);
  });

  it('SIGTERM reaches the server itself, which has time to end', async () => {
    await using mux = await open();
    const lines: string[] = [];
    mux.rig.mux.on('server:stderr', ({ line }) => lines.push(line));
    await mux.add('s', fixtureCommand('ignore-sigterm'));
    await mux.rig.mux.removeServer('s');
    expect(lines).toEqual(['stdin has ended, going on', 'SIGTERM received, going on']);
    await mux.rig.allGone();
  });

  it('a crash of the server is its exit code', async () => {
    await using mux = await open();
    await mux.add('c', fixtureCommand('crash'));
    const { result } = await mux.rig.client.call('c__crash');
    expect(JSON.stringify(result)).toContain('exited with code 1');
  });
});

function commandLines(): readonly string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'latin1')];
    } catch {
      return [];
    }
  });
}
