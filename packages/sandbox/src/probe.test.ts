import { describe, expect, it } from 'vitest';

import { probeSystem, type ProbedSystem } from './probe.js';

const linux = (
  run: ProbedSystem['run'],
  exists = (path: string): boolean => path === '/usr/bin/bwrap',
): ProbedSystem => ({
  platform: 'linux',
  exists,
  run,
});

describe('what confines is found by running it', () => {
  it('takes the strongest namespaces that run', async () => {
    const seen: string[][] = [];
    const run: ProbedSystem['run'] = async (_, args) => {
      seen.push([...args]);
      return args.includes('--disable-userns') ? 'bwrap: Unknown option --disable-userns' : undefined;
    };
    expect(await probeSystem(linux(run))).toEqual({
      kind: 'bubblewrap',
      path: '/usr/bin/bwrap',
      namespaces: ['--unshare-user'],
    });
    expect(seen[0]).toContain('--unshare-net');
    expect(seen).toHaveLength(2);
  });

  it('a bubblewrap that is there and does not run is no sandbox', async () => {
    const found = await probeSystem(linux(async () => 'bwrap: setting up uid map: Permission denied'));
    expect(found).toMatchObject({ kind: 'none', advice: expect.stringContaining('AppArmor') as unknown });
    expect(JSON.stringify(found)).toContain('/usr/bin/bwrap does not run here: bwrap: setting up uid map');
  });

  it('a system without it has none, and the advice says what to install', async () => {
    const found = await probeSystem(
      linux(
        async () => undefined,
        () => false,
      ),
    );
    expect(found).toMatchObject({ kind: 'none', problem: 'bubblewrap is not installed' });
    expect(JSON.stringify(found)).toContain('apt install bubblewrap');
  });

  it('only the named bubblewrap is used, if one is named', async () => {
    const system = linux(
      async () => undefined,
      (path) => path === '/usr/bin/bwrap',
    );
    expect(await probeSystem({ ...system, bubblewrap: '/opt/bwrap' })).toMatchObject({ kind: 'none' });
  });

  it('macOS has sandbox-exec', async () => {
    const system = { platform: 'darwin', exists: () => true, run: async () => undefined } as const;
    expect(await probeSystem(system)).toEqual({ kind: 'sandbox-exec', path: '/usr/bin/sandbox-exec' });
    expect(await probeSystem({ ...system, run: async () => 'no' })).toMatchObject({ kind: 'none' });
    expect(await probeSystem({ ...system, exists: () => false })).toMatchObject({ kind: 'none' });
  });

  it('Windows has none', async () => {
    const system = { platform: 'win32', exists: () => true, run: async () => undefined } as const;
    expect(await probeSystem(system)).toMatchObject({
      kind: 'none',
      problem: 'mcpmux has no sandbox for win32',
    });
  });
});
