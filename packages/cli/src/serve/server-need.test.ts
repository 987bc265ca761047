import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ServerNeed } from './server-need.js';

/** What is decided now; undefined while nothing is. */
function decided(need: ServerNeed): Promise<boolean | undefined> {
  return Promise.race([need.decided, Promise.resolve().then(() => undefined)]);
}

describe('whether servers are needed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('they are as soon as a request needs them', async () => {
    const need = new ServerNeed();
    expect(await decided(need)).toBeUndefined();
    need.requested(true);
    expect(await decided(need)).toBe(true);
  });

  it('they are not for a probe whose client leaves', async () => {
    const need = new ServerNeed();
    need.requested(false);
    vi.advanceTimersByTime(999);
    need.clientGone();
    expect(await decided(need)).toBe(false);
  });

  it('they are a second after a probe whose client stays', async () => {
    const need = new ServerNeed();
    vi.advanceTimersByTime(900);
    need.requested(false);
    vi.advanceTimersByTime(999);
    expect(await decided(need)).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(await decided(need)).toBe(true);
  });

  it('they are a second after the start for a client that says nothing', async () => {
    const need = new ServerNeed();
    vi.advanceTimersByTime(1000);
    expect(await decided(need)).toBe(true);
  });

  it('the config is read for a client that leaves without a word', async () => {
    const need = new ServerNeed();
    need.clientGone();
    expect(await decided(need)).toBe(true);
  });

  it('they are not at the end of the process', async () => {
    const need = new ServerNeed();
    need.giveUp();
    vi.advanceTimersByTime(1000);
    expect(await decided(need)).toBe(false);
  });
});
