import { expect, it } from 'vitest';

import { MuxRig } from '../testing/mux-rig.js';

const FIRST = 'Says hello';

/** Lets the server change the description of its tool, and resolves when the mux has seen that. */
async function turn(rig: MuxRig, description: string): Promise<void> {
  const seen = new Promise((resolve) => {
    const stop = rig.mux.on('audit', ({ action }) => {
      if (action !== 'change') return;
      stop();
      resolve(undefined);
    });
  });
  await rig.mux.callTool('s__turn', { description });
  await seen;
}

function descriptions(rig: MuxRig) {
  return rig.mux.listChangedTools().map(({ server, tool, name, isBlocked, before = '{}', after }) => ({
    server,
    tool,
    name,
    isBlocked,
    texts: [before, after].map((text) => (JSON.parse(text) as { readonly description?: string }).description),
  }));
}

it('G1: a changed tool has the definition of now and the one that was approved, whatever came between', async () => {
  await using rig = await MuxRig.open({ pinTools: 'block' });
  await rig.add('s', 'changing-definition');
  expect(rig.mux.listChangedTools()).toEqual([]);
  await turn(rig, 'two');
  await rig.mux.callTool('s__turn', { description: 'three' });
  await expect
    .poll(() => descriptions(rig))
    .toEqual([{ server: 's', tool: 'greet', isBlocked: true, texts: [FIRST, 'three'] }]);
  await rig.mux.reloadServer('s', { approve: true });
  expect(descriptions(rig)).toEqual([
    { server: 's', tool: 'greet', name: 's__greet', isBlocked: false, texts: ['three', FIRST] },
  ]);
});

it('G1: in mode warn a changed tool has both definitions and the name that clients see', async () => {
  await using rig = await MuxRig.open();
  await rig.add('s', 'changing-definition');
  await turn(rig, 'two');
  expect(descriptions(rig)).toEqual([
    { server: 's', tool: 'greet', name: 's__greet', isBlocked: false, texts: [FIRST, 'two'] },
  ]);
  await rig.mux.reloadServer('s');
  expect(descriptions(rig)).toMatchObject([{ texts: ['two', FIRST] }]);
});
