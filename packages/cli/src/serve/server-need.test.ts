import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ServerNeed } from './server-need.js';

/** What is decided now; undefined while nothing is. */
function decided(need: ServerNeed): Promise<boolean | undefined> {
  return Promise.race([need.decision, Promise.resolve().then(() => undefined)]);
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
    need.recordRequest(true);
    expect(await decided(need)).toBe(true);
  });

  it('they are not for a probe whose client leaves', async () => {
    const need = new ServerNeed();
    need.recordRequest(false);
    vi.advanceTimersByTime(999);
    need.recordDisconnect();
    expect(await decided(need)).toBe(false);
  });

  it('they are a second after a probe whose client stays', async () => {
    const need = new ServerNeed();
    vi.advanceTimersByTime(900);
    need.recordRequest(false);
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
    need.recordDisconnect();
    expect(await decided(need)).toBe(true);
  });

  it('they are not at the end of the process', async () => {
    const need = new ServerNeed();
    need.recordShutdown();
    vi.advanceTimersByTime(1000);
    expect(await decided(need)).toBe(false);
  });
});
