import fc from 'fast-check';
import { expect, it } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import { SessionRig } from '../src/testing/session-rig.js';
import { fuzzParameters } from '@mcpmux/testing/fuzz-seed';
import { hostileLine, Tally } from '@mcpmux/testing/hostile-line';

const METHODS = ['ping', 'tools/list', 'initialize', 'nobody/knows', 'tools/call', '', '__proto__'];

/** A request that must be answered; `n` makes its id unlike all others. */
const request = fc.record({
  method: fc.constantFrom(...METHODS),
  id: fc.constantFrom(
    (n: number) => `${n + 1000}`,
    (n: number) => `-${n + 1000}`,
    (n: number) => `"x${n}"`,
    (n: number) => `"\\u0078x${n}"`,
    (n: number) => `9007199254740993${n}`,
  ),
  rest: fc.constantFrom(
    '',
    ',"params":{}',
    ',"params":[]',
    ',"params":{"name":"nobody__t","arguments":{"a":1.0}}',
    ',"unknown":{"deep":[[[]]]}',
    ',"params":{"_meta":{"progressToken":"1"}}',
  ),
});

it('B17, B20, B21: every request is answered once, under its id, whatever else its client writes', async () => {
  const tally = new Tally();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(request, hostileLine), { maxLength: 10 }), async (steps) => {
      const rig = new SessionRig();
      const ids: string[] = [];
      for (const [index, step] of steps.entries()) {
        const before = rig.client.lines.length;
        if ('method' in step) {
          const id = step.id(index);
          ids.push(id);
          rig.send(`{"jsonrpc":"2.0","id":${id},"method":"${step.method}"${step.rest}}`);
        } else {
          rig.session.decoder.line(step);
        }
        await nextTurn();
        const answers = rig.client.lines.length - before;
        tally.add('method' in step ? 'request' : `hostile, ${answers} answers`);
        expect(answers).toBeLessThanOrEqual(1);
      }
      const texts = rig.client.lines.map((line) => line.slice('{"jsonrpc":"2.0","id":'.length));
      for (const id of ids) expect(texts.filter((text) => text.startsWith(`${id},`))).toHaveLength(1);
      await expect(rig.exchange('{"jsonrpc":"2.0","id":"last","method":"ping"}')).resolves.toHaveLength(1);
    }),
    fuzzParameters(0.5),
  );
  for (const outcome of ['request', 'hostile, 0 answers', 'hostile, 1 answers']) {
    expect(tally.share(outcome)).toBeGreaterThan(0.03);
  }
});
