import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { requestedSandbox } from './requested-sandbox.js';
import { networkReach, type SandboxSettings } from './settings.js';

const HERE = { folder: '/home/ann/work', home: '/home/ann' };
const CWD = '/home/ann/work';
const under = (settings: SandboxSettings) => ({ ...HERE, settings });

describe('a server that an agent requests', () => {
  it('gets the sandbox of the policy, with paths from the folder of the client', () => {
    const policy = { filesystem: { allowWrite: ['./out', '~/x'] }, network: true };
    expect(requestedSandbox({ cwd: `${CWD}/sub` }, under(policy))).toEqual({
      settings: { filesystem: { allowWrite: [`${CWD}/out`, '/home/ann/x'] }, network: true },
      opens: [],
    });
  });

  it('gets less where it asks for less', () => {
    const request = { sandbox: { network: false, filesystem: { denyRead: ['./secret'] } }, cwd: CWD };
    expect(requestedSandbox(request, under({ network: true }))).toEqual({
      settings: { filesystem: { denyRead: [`${CWD}/secret`] }, network: false },
      opens: [],
    });
  });

  it('follows its client if the policy says so, whatever it asks for', () => {
    for (const sandbox of [undefined, {}, { network: false }])
      expect(requestedSandbox({ sandbox, cwd: CWD }, under({ follow: 'client' }))).toMatchObject({
        settings: { follow: 'client' },
        opens: [],
      });
  });

  it('gets more only with a sentence for the person', () => {
    const request = { sandbox: { network: true }, cwd: CWD };
    expect(requestedSandbox(request, under({}))).toMatchObject({
      settings: { network: true },
      opens: [expect.stringContaining('the whole network') as unknown],
    });
  });

  it('is without a sandbox only with a sentence for the person', () => {
    const granted = requestedSandbox({ sandbox: 'off', cwd: CWD }, under({ network: true }));
    expect(granted.settings).toBeUndefined();
    expect(granted.opens).toHaveLength(1);
  });
});

const paths = fc.subarray(['.', './out', '../other', '~/.ssh', '/etc', '.git/hooks', './a/b']);
const settings = fc.record<SandboxSettings>(
  {
    network: fc.oneof(fc.boolean(), fc.record({ allowedDomains: fc.subarray(['a.com', 'b.com']) })),
    filesystem: fc.record(
      { allowWrite: paths, allowRead: paths, denyRead: paths, denyWrite: paths },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

it('without a sentence, no request ever gets more than the policy', () => {
  const order = ['none', 'domains', 'all'];
  fc.assert(
    fc.property(settings, settings, (sandbox, policy) => {
      const { settings: granted, opens } = requestedSandbox({ sandbox, cwd: CWD }, under(policy));
      const allowed = requestedSandbox({ cwd: CWD }, under(policy)).settings;
      fc.pre(opens.length === 0 && granted !== undefined && allowed !== undefined);
      expect(order.indexOf(networkReach(granted))).toBeLessThanOrEqual(order.indexOf(networkReach(allowed)));
      expect(granted.filesystem?.denyRead ?? []).toEqual(
        expect.arrayContaining([...(allowed.filesystem?.denyRead ?? [])]),
      );
      for (const path of granted.filesystem?.allowWrite ?? [])
        expect(
          [CWD, ...(allowed.filesystem?.allowWrite ?? [])].some(
            (one) => path === one || path.startsWith(`${one}/`),
          ),
        ).toBe(true);
    }),
  );
});
