import { describe, expect, it } from 'vitest';

import { PAYLOAD_NAMES, PAYLOADS, payloadOf } from './payload.js';

describe('payloads', () => {
  it.each([
    ['100b', 100],
    ['10k', 10_000],
    ['1m', 1_000_000],
    ['250', 250],
  ])('%s answers with a text of %d bytes', (name, bytes) => {
    const { content } = payloadOf(name).result() as { content: [{ text: string }] };
    expect(Buffer.byteLength(content[0].text)).toBe(bytes);
  });

  it('the structured one holds many small objects, 100 KB in all', () => {
    const { structuredContent } = PAYLOADS.structured.result() as { structuredContent: { rows: unknown[] } };
    expect(structuredContent.rows.length).toBeGreaterThan(1000);
    const bytes = JSON.stringify(structuredContent).length;
    expect(bytes).toBeGreaterThan(99_000);
    expect(bytes).toBeLessThan(101_000);
  });

  it.each(PAYLOAD_NAMES)('%s holds no member that the load generator could take for an id', (name) => {
    expect(JSON.stringify(PAYLOADS[name].result())).not.toContain('"id":');
  });

  it.each(['', '2m', '-1', '0', '1.5'])('there is no payload %j', (name) => {
    expect(() => payloadOf(name)).toThrow('no such payload');
  });
});
