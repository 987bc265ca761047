import { nextTurn } from '@mcpmux/testing/next-turn';
import { describe, expect, it } from 'vitest';

import { connected, type Connected } from '../../../testing/connected.js';
import { NO_CLIENT } from '../client-profile.js';
import type { Era } from '../era.js';
import type { OpeningInit } from '../server-dialect.js';
import type { ServerIdentity } from '../server-identity.js';
import { createOpenRun } from './opening.js';

const CLIENT_INFO = { name: 'mcpmux', version: '1.2.3' };
const DISCOVERED = '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"hi"}';
const INITIALIZED = '{"protocolVersion":"2025-06-18","capabilities":{}}';
const SILENCE_MS = 5000;

/** The opening of a run with a server that the test plays. */
class Opening {
  readonly rig: Connected = connected();
  readonly learned: Era[] = [];
  readonly outcome: Promise<ServerIdentity>;

  constructor(init: Partial<OpeningInit> = {}) {
    const { clock, connection } = this.rig;
    const open = createOpenRun(CLIENT_INFO, { clock, limits: { listTimeoutMs: 1000 } });
    this.outcome = open({
      link: connection,
      profile: NO_CLIENT,
      requiredEra: undefined,
      firstEra: 'modern',
      timeLeftMs: () => 60_000 - clock.now(),
      onRequest: () => undefined,
      onVerdict: (era) => this.learned.push(era),
      ...init,
    });
    this.outcome.catch(() => undefined);
  }

  get sent(): readonly string[] {
    return this.rig.server.received.map((line) => (JSON.parse(line) as { method: string }).method);
  }

  get era(): Era {
    return this.rig.connection.dialect.era;
  }

  answer(id: number, result: string): Promise<void> {
    this.rig.server.answer(id, result);
    return nextTurn();
  }

  refuse(id: number, code: number, message = 'no'): Promise<void> {
    this.rig.server.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
    return nextTurn();
  }

  async silence(): Promise<void> {
    await nextTurn();
    this.rig.clock.advance(SILENCE_MS);
    await nextTurn();
  }
}

describe('a server that is tried in the modern era first', () => {
  it('is asked to describe itself, and then listened to', async () => {
    const opening = new Opening();
    await opening.answer(1, DISCOVERED);
    await expect(opening.outcome).resolves.toEqual({
      protocolVersion: '2026-07-28',
      capabilities: { tools: {} },
      instructions: 'hi',
    });
    await nextTurn();
    expect(opening.sent).toEqual(['server/discover', 'subscriptions/listen']);
    expect(opening.era).toBe('modern');
    expect(opening.learned).toEqual([]);
  });

  it.each([-32_601, -32_602, 0, -32_022])(
    'and refuses with %i is initialized on the same pipe',
    async (code) => {
      const opening = new Opening();
      await opening.refuse(1, code);
      await opening.answer(2, INITIALIZED);
      await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
      await nextTurn();
      expect(opening.sent).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
      expect(opening.learned).toEqual(['legacy']);
      expect(opening.era).toBe('legacy');
    },
  );

  it('and speaks no revision of it is initialized', async () => {
    const opening = new Opening();
    await opening.answer(1, '{"supportedVersions":["2025-11-25"],"capabilities":{}}');
    await opening.answer(2, INITIALIZED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
  });

  it('is asked once more when it refuses the very version that it names', async () => {
    const opening = new Opening();
    await opening.refuse(1, -32_022, 'supported: 2026-07-28');
    await opening.answer(2, DISCOVERED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
  });

  it('and is silent is legacy when it takes the handshake', async () => {
    const opening = new Opening();
    await opening.silence();
    await opening.answer(2, INITIALIZED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
    expect(opening.learned).toEqual(['legacy']);
  });

  it('and is slow is legacy alone when it refuses the probe and takes the handshake', async () => {
    const opening = new Opening();
    await opening.silence();
    await opening.refuse(1, -32_601);
    await opening.answer(2, INITIALIZED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
    expect(opening.learned).toEqual(['legacy']);
  });

  it('and only starts slowly is of both eras when it takes the handshake after it has described itself', async () => {
    const opening = new Opening();
    await opening.silence();
    expect(opening.sent).toEqual(['server/discover', 'initialize']);
    await opening.answer(1, DISCOVERED);
    await opening.answer(2, INITIALIZED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
    expect(opening.learned).toEqual([]);
  });

  it('and was silent is modern alone when it refuses the handshake before it describes itself', async () => {
    const opening = new Opening();
    await opening.silence();
    await opening.refuse(2, -32_022);
    await opening.answer(1, DISCOVERED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
    expect(opening.learned).toEqual(['modern']);
  });

  it('and only starts slowly is modern when it refuses the handshake, and may be of both eras', async () => {
    const opening = new Opening();
    await opening.silence();
    await opening.answer(1, DISCOVERED);
    await opening.refuse(2, 0);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
    expect(opening.learned).toEqual([]);
  });

  it('and was silent is modern when the handshake stays unanswered', async () => {
    const opening = new Opening();
    await opening.silence();
    await opening.answer(1, DISCOVERED);
    await opening.silence();
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
  });

  it('and answers nothing is late', async () => {
    const opening = new Opening();
    await opening.silence();
    opening.rig.clock.advance(60_000);
    await expect(opening.outcome).rejects.toMatchObject({ timedOut: true });
  });

  it('and refuses both eras has refused the handshake', async () => {
    const opening = new Opening();
    await opening.refuse(1, -32_601, 'what?');
    await opening.refuse(2, -32_603, 'no database');
    await expect(opening.outcome).rejects.toThrow('no database');
    expect(opening.learned).toEqual([]);
  });
});

describe('a server that is tried in the legacy era first', () => {
  it('is not probed when it takes the handshake', async () => {
    const opening = new Opening({ firstEra: 'legacy' });
    await opening.answer(1, INITIALIZED);
    await opening.outcome;
    await nextTurn();
    expect(opening.sent).toEqual(['initialize', 'notifications/initialized']);
    expect(opening.learned).toEqual([]);
  });

  it.each([-32_022, -32_601, -32_602])('and refuses the handshake with %i may be modern', async (code) => {
    const opening = new Opening({ firstEra: 'legacy' });
    await opening.refuse(1, code);
    await opening.answer(2, DISCOVERED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
    expect(opening.learned).toEqual(['modern']);
  });

  it('and answers the handshake with a modern revision is asked to describe itself', async () => {
    const opening = new Opening({ firstEra: 'legacy' });
    await opening.answer(1, '{"protocolVersion":"2026-07-28","capabilities":{}}');
    await opening.answer(2, DISCOVERED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
  });

  it('and refuses both eras is reported with its first refusal', async () => {
    const opening = new Opening({ firstEra: 'legacy' });
    await opening.refuse(1, -32_602, 'bad params');
    await opening.refuse(2, -32_601, 'what?');
    await expect(opening.outcome).rejects.toThrow('bad params');
  });

  it('and cannot start is not probed', async () => {
    const opening = new Opening({ firstEra: 'legacy' });
    await opening.refuse(1, -32_603, 'no database');
    await expect(opening.outcome).rejects.toThrow('no database');
    expect(opening.sent).toEqual(['initialize']);
  });
});

describe('a server of which the configuration says the era', () => {
  it('legacy: is never probed', async () => {
    const opening = new Opening({ requiredEra: 'legacy' });
    await opening.refuse(1, -32_022, '2026-07-28');
    await expect(opening.outcome).rejects.toThrow('2026-07-28');
    expect(opening.sent).toEqual(['initialize']);
  });

  it('modern: is spoken to so even if it cannot describe itself', async () => {
    const opening = new Opening({ requiredEra: 'modern', firstEra: 'legacy' });
    await opening.refuse(1, -32_601);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2026-07-28' });
    expect(opening.era).toBe('modern');
  });
});

describe('the second run of a server', () => {
  const second = (only: Era) => new Opening({ requiredEra: only, isSecond: true });

  it('is sent the handshake alone in the legacy era', async () => {
    const opening = second('legacy');
    await opening.answer(1, INITIALIZED);
    await expect(opening.outcome).resolves.toMatchObject({ protocolVersion: '2025-06-18' });
    await nextTurn();
    expect(opening.sent).toEqual(['initialize', 'notifications/initialized']);
    expect(opening.learned).toEqual([]);
  });

  it('that refuses the handshake shows that the server has the modern era alone', async () => {
    const opening = second('legacy');
    await opening.refuse(1, -32_022);
    await expect(opening.outcome).rejects.toThrow('no');
    expect(opening.sent).toEqual(['initialize']);
    expect(opening.learned).toEqual(['modern']);
  });

  it('that refuses the handshake for a reason of its own shows nothing', async () => {
    const opening = second('legacy');
    await opening.refuse(1, -32_000);
    await expect(opening.outcome).rejects.toThrow('no');
    expect(opening.learned).toEqual([]);
  });

  it('that does not describe itself shows that the server has the legacy era alone', async () => {
    const opening = second('modern');
    await opening.refuse(1, -32_601);
    await expect(opening.outcome).rejects.toThrow('no');
    expect(opening.sent).toEqual(['server/discover']);
    expect(opening.learned).toEqual(['legacy']);
  });
});
