import { fixtureCommand, type FixtureName } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { FixtureUpstream } from '../testing/fixture-upstream.js';
import { EraVerdicts } from './config/era-verdicts.js';
import type { Era } from './dialect/era.js';
import type { ProcessConfig } from './config/server-config.js';

interface Started {
  readonly starts: number;
  readonly version: string | undefined;
  readonly verdict: Era | undefined;
  readonly failure: string | undefined;
}

/** Starts a fixture whose first client is of this era, and tells how often a process was started for it. */
async function start(
  fixture: FixtureName,
  first: Era,
  { how, others, ...config }: Partial<ProcessConfig> & { how?: string; others?: 'auto' | Era } = {},
  verdicts = new EraVerdicts(),
): Promise<Started> {
  const { args, command } = fixtureCommand(fixture);
  const all = { command, args: how === undefined ? args : [...args, how], ...config };
  await using rig = await FixtureUpstream.prepare(
    fixture,
    { firstEra: () => first, verdicts, protocol: others },
    all,
  );
  await rig.upstream.start();
  const { state, identity } = rig.upstream;
  return {
    starts: rig.server.pids.length,
    version: identity?.protocolVersion,
    verdict: verdicts.eraOf(all),
    failure: state.kind === 'crashed' ? state.failure.kind : undefined,
  };
}

describe('the era of a server', () => {
  it.each<readonly [FixtureName, Era, string]>([
    ['echo', 'legacy', '2025-11-25'],
    ['echo', 'modern', '2025-11-25'],
    ['modern', 'legacy', '2026-07-28'],
    ['modern', 'modern', '2026-07-28'],
    ['dual-era', 'legacy', '2025-11-25'],
    ['dual-era', 'modern', '2026-07-28'],
    ['modern-sloppy', 'modern', '2026-07-28'],
    ['modern-sloppy', 'legacy', '2026-07-28'],
  ])('of %s, for a %s client, is that of %s, found out in one process', async (fixture, first, version) => {
    await expect(start(fixture, first)).resolves.toMatchObject({ starts: 1, version, failure: undefined });
  });

  it.each(['-32602', '-32601', '0', '-32600', 'silent-with-meta'])(
    'fault A8: is the legacy one for a server that answers the probe with %s, and the server is started once',
    async (how) => {
      const started = start('old-probed', 'modern', { how });
      await expect(started).resolves.toMatchObject({ starts: 1, version: '2025-11-25', verdict: 'legacy' });
    },
    20_000,
  );

  it('fault A8: is the legacy one for a server that leaves the probe unanswered, and it is started once', async () => {
    const started = start('old-probed', 'modern', { how: 'hang' });
    await expect(started).resolves.toMatchObject({ starts: 1, version: '2025-11-25', verdict: 'legacy' });
  }, 20_000);

  it('fault A8: is the legacy one for a server that exits on the probe: it is started once more, without one', async () => {
    const verdicts = new EraVerdicts();
    const first = await start('old-probed', 'modern', { how: 'exit' }, verdicts);
    expect(first).toEqual({ starts: 2, version: '2025-11-25', verdict: 'legacy', failure: undefined });
    const second = await start('old-probed', 'modern', { how: 'exit' }, verdicts);
    expect(second).toMatchObject({ starts: 1, version: '2025-11-25' });
  });

  it('is remembered of a server that speaks the modern one alone', async () => {
    await expect(start('modern', 'legacy')).resolves.toMatchObject({ verdict: 'modern' });
    await expect(start('dual-era', 'modern')).resolves.toMatchObject({ verdict: undefined });
  });

  it('is the one of the configuration: legacy', async () => {
    const of = (fixture: FixtureName) => start(fixture, 'modern', { protocol: 'legacy' });
    await expect(of('dual-era')).resolves.toMatchObject({ starts: 1, version: '2025-11-25' });
    await expect(of('modern')).resolves.toMatchObject({ starts: 1, failure: 'bad-answer' });
  });

  it('is that of the mux where the configuration names none', async () => {
    const first = await start('dual-era', 'legacy', { others: 'modern' });
    expect(first).toMatchObject({ starts: 1, version: '2026-07-28' });
    const own = await start('dual-era', 'modern', { others: 'modern', protocol: 'legacy' });
    expect(own).toMatchObject({ starts: 1, version: '2025-11-25' });
    const found = await start('old-probed', 'legacy', { others: 'modern', protocol: 'auto', how: '-32601' });
    expect(found).toMatchObject({ starts: 1, version: '2025-11-25' });
  });

  it('is the one of the configuration: modern', async () => {
    const of = (fixture: FixtureName) => start(fixture, 'legacy', { protocol: 'modern' });
    await expect(of('dual-era')).resolves.toMatchObject({ starts: 1, version: '2026-07-28' });
    await expect(of('modern-sloppy')).resolves.toMatchObject({ starts: 1, version: '2026-07-28' });
    const silent = start('old-probed', 'legacy', { protocol: 'modern', how: 'hang', startTimeoutMs: 2000 });
    await expect(silent).resolves.toMatchObject({ starts: 1, failure: 'start-timeout' });
  });
});
