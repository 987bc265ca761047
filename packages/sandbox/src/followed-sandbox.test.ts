import { describe, expect, it } from 'vitest';

import { FollowedSandbox } from './followed-sandbox.js';

const described = (type: string): string => JSON.stringify({ sandboxCwd: '/a', sandboxPolicy: { type } });

describe('a server that follows its clients', () => {
  it('starts before the first call without a network and without a path to write', () => {
    const { next } = new FollowedSandbox();
    expect(next.policy?.network).toBe(false);
    expect([...(next.policy?.access ?? [])]).toEqual([['/', 'read']]);
  });

  it('has the sandbox of its entry alone for a call without a description', async () => {
    const followed = new FollowedSandbox();
    const key = followed.keyOf(undefined);
    expect(key).not.toBe(followed.next.key);
    await expect(followed.read(key)).resolves.toEqual({ key, policy: undefined });
  });

  it('has one key for equal descriptions', async () => {
    const followed = new FollowedSandbox();
    const key = followed.keyOf(described('read-only'));
    expect(followed.keyOf(described('read-only'))).toBe(key);
    expect(followed.keyOf(described('danger-full-access'))).not.toBe(key);
    await expect(followed.read(key)).resolves.toMatchObject({ key, policy: { network: false } });
  });

  it('follows no description that is not known, and warns until another is read', async () => {
    const followed = new FollowedSandbox();
    for (const text of [described('dream'), 'null']) {
      await expect(followed.read(followed.keyOf(text))).resolves.toBeUndefined();
      expect(followed.refused?.key).toBe(text);
      expect(followed.warning).toContain('calls with it are not sent');
    }
    await followed.read(described('read-only'));
    expect(followed.warning).toBeUndefined();
  });
});
