import { describe, expect, it } from 'vitest';

import { NO_CLIENT } from './client-profile.js';
import type { Era } from './era.js';
import { bridgeLosesFeatures, undeclaredKinds } from './second-era.js';

function client(era: Era, ...kinds: readonly string[]) {
  const capabilities = Object.fromEntries(kinds.map((kind) => [kind, {}]));
  return { era, clientEra: era, profile: { ...NO_CLIENT, capabilities } };
}

const PROGRAM = { isRemote: false, denied: [] } as const;
const URL = { isRemote: true, denied: [] } as const;

describe('the bridge between a client and a run of the other era', () => {
  it.each(['elicitation', 'sampling', 'roots'])(
    'is lossy for a legacy client that takes requests for %s',
    (kind) => {
      expect(bridgeLosesFeatures(client('legacy', kind), { ...PROGRAM, era: 'modern' })).toBe(true);
      expect(bridgeLosesFeatures(client('legacy', kind), { ...URL, era: 'modern' })).toBe(true);
    },
  );

  it('is not lossy for a legacy client that takes none, or is to get none from this server', () => {
    expect(bridgeLosesFeatures(client('legacy', 'tasks'), { ...URL, era: 'modern' })).toBe(false);
    const denied = ['elicitation'] as const;
    expect(bridgeLosesFeatures(client('legacy', 'elicitation'), { ...URL, denied, era: 'modern' })).toBe(
      false,
    );
    expect(
      bridgeLosesFeatures(
        { era: 'legacy', clientEra: 'legacy', profile: undefined },
        { ...URL, era: 'modern' },
      ),
    ).toBe(false);
  });

  it('is lossy for a modern client at a url, and not worth a second process of a program', () => {
    expect(bridgeLosesFeatures(client('modern', 'elicitation'), { ...URL, era: 'legacy' })).toBe(true);
    expect(bridgeLosesFeatures(client('modern', 'elicitation'), { ...PROGRAM, era: 'legacy' })).toBe(false);
  });

  it('does not stand between a client and a run of one era', () => {
    expect(bridgeLosesFeatures(client('legacy', 'elicitation'), { ...URL, era: 'legacy' })).toBe(false);
    expect(bridgeLosesFeatures(client('modern', 'elicitation'), { ...URL, era: 'modern' })).toBe(false);
  });
});

describe('a run of the legacy era that was opened without a client', () => {
  it('was not told what a client accepts, but for what it is to get from no client', () => {
    const one = client('modern', 'elicitation', 'sampling', 'tasks');
    expect(undeclaredKinds(one, NO_CLIENT, [])).toEqual(['elicitation', 'sampling']);
    expect(undeclaredKinds(one, NO_CLIENT, ['sampling'])).toEqual(['elicitation']);
    expect(undeclaredKinds(one, one.profile, [])).toEqual([]);
    expect(undeclaredKinds({ profile: undefined }, NO_CLIENT, [])).toEqual([]);
  });
});

describe('the era that a client wants of a server', () => {
  it('is that of the client behind another node, which has sent its request on in the modern era', () => {
    const behind = { ...client('modern', 'elicitation'), clientEra: 'legacy' as const };
    expect(bridgeLosesFeatures(behind, { ...PROGRAM, era: 'modern' })).toBe(true);
  });
});
