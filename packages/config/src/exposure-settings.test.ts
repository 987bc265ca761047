import { describe, expect, it } from 'vitest';

import { ConfigExposure } from './config-exposure.js';
import { exposureOf, exposureSettings, serverExposureOf } from './exposure-settings.js';

describe('the exposure of a config', () => {
  it('is a mode alone, or an object', () => {
    expect(exposureOf('search', {})).toEqual({ mode: 'search' });
    expect(exposureOf({ mode: 'auto', budget: 5000, slim: true, tools: 'minimal' }, {})).toEqual({
      mode: 'auto',
      budget: 5000,
      slim: true,
      ownTools: 'minimal',
    });
    expect(exposureOf(undefined, {})).toEqual({});
  });

  it('is that of the profile where the profile has one, and that of the command line before all', () => {
    const settings = { mode: 'auto', profiles: { work: { mode: 'search' } } } as const;
    expect(exposureOf(settings, {})).toEqual({ mode: 'auto' });
    expect(exposureOf(settings, { profile: 'home' })).toEqual({ mode: 'auto' });
    expect(exposureOf(settings, { profile: 'work' })).toEqual({ mode: 'search' });
    expect(exposureOf(settings, { profile: 'work', exposure: 'all', tools: 'minimal' })).toEqual({
      mode: 'all',
      ownTools: 'minimal',
    });
  });

  it('pins tools by name or pattern, for all clients and for some', () => {
    const { isPinned, clients } = exposureOf(
      { mode: 'search', pinned: ['github__create_*'], clients: { codex: { pinned: ['*'] } } },
      {},
    );
    expect([isPinned?.('github__create_issue'), isPinned?.('github__list')]).toEqual([true, false]);
    expect(clients).toMatchObject([{ name: 'codex' }]);
    expect(clients?.[0]?.exposure.isPinned?.('a__b')).toBe(true);
    const own = serverExposureOf({ mode: 'search', pinned: ['find'] });
    expect([own.isPinned?.('find'), own.isPinned?.('search')]).toEqual([true, false]);
    expect(serverExposureOf('all')).toEqual({ mode: 'all' });
  });

  it.each([
    ['some', 'expected all, search, auto'],
    [{ mode: 'auto', budgets: 5 }, 'an exposure has no such setting: budgets'],
  ])('with a fault says what is expected: %j', (settings, message) => {
    const { error } = exposureSettings.safeParse(settings);
    expect(JSON.stringify(error?.issues)).toContain(message);
  });

  it('reaches the mux once for each change', () => {
    const exposed: unknown[] = [];
    const exposure = new ConfigExposure({ expose: (options) => void exposed.push(options) }, {});
    exposure.apply(undefined);
    exposure.apply({ mode: 'search' });
    exposure.apply({ mode: 'search' });
    exposure.apply(undefined);
    expect(exposed).toEqual([{ mode: 'search' }, {}]);
  });
});
