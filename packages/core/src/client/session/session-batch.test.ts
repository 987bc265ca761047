import { describe, expect, it } from 'vitest';

import { modernLine } from '../../testing/modern-lines.js';
import { SessionRig } from '../../testing/session-rig.js';

const BATCH = '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]';

async function greeted(protocolVersion: string): Promise<SessionRig> {
  const rig = new SessionRig();
  const params = JSON.stringify({
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  });
  await rig.exchange(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${params}}`);
  return rig;
}

describe('a batch of a client', () => {
  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('B12: is refused once under %s', async (version) => {
    const rig = await greeted(version);
    const message = expect.stringContaining('only revision 2025-03-26 has batches');
    await expect(rig.answerTo(BATCH)).resolves.toMatchObject({ id: null, error: { code: -32600, message } });
  });

  it('B12: is refused before the client has introduced itself', async () => {
    await expect(new SessionRig().answerTo(BATCH)).resolves.toMatchObject({ error: { code: -32600 } });
  });

  it('B12: is refused once under 2026-07-28, whose clients introduce themselves in each request', async () => {
    const batch = `[${modernLine('1', 'tools/list')},${modernLine('2', 'tools/list')}]`;
    const answers = await new SessionRig().exchange(batch);
    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toMatchObject([
      { id: null, error: { code: -32600 } },
    ]);
  });

  it('B12: is carried out message by message under 2025-03-26', async () => {
    const rig = await greeted('2025-03-26');
    await expect(rig.exchange(BATCH)).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":"b","result":{}}',
    ]);
  });

  it('B12: has each of its bad elements refused under 2025-03-26, and the others carried out', async () => {
    const rig = await greeted('2025-03-26');
    const answers = await rig.exchange('[5,[],{"jsonrpc":"2.0","id":2,"method":"ping"}]');
    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 2, result: {} },
    ]);
  });

  it.each(['[]', `[${Array.from({ length: 101 }, () => '{"method":"x"}').join(',')}]`])(
    'B12: that is empty or too long is refused once under 2025-03-26',
    async (line) => {
      const rig = await greeted('2025-03-26');
      const message = expect.stringContaining('a batch must have 1 to 100 messages');
      await expect(rig.answerTo(line)).resolves.toMatchObject({ id: null, error: { code: -32600, message } });
    },
  );
});
