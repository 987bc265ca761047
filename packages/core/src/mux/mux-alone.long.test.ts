import { describe, expect, it } from 'vitest';

import { alone, through, type Sdk } from '../testing/alone-and-through.js';
import { differences } from '../testing/course.js';
import { type Era, SloppyServer, WORDS } from '../testing/sloppy-server.js';
import { SITUATIONS, SOUND } from '../testing/sloppy-situations.js';

const CLIENTS: readonly (readonly [Era, Sdk])[] = [
  ['legacy', 'v1'],
  ['legacy', 'v2'],
  ['modern', 'v2'],
];

const CASES = SITUATIONS.flatMap(([name, change, ways = ['streams', 'http'] as const, status = 202]) =>
  ways.flatMap((way) => CLIENTS.map(([era, sdk]) => ({ name, change, way, era, sdk, status }))),
);

describe('what works alone works through mcpmux', () => {
  it.each(CASES)('$name: $way, $era, SDK $sdk', async ({ change, way, era, sdk, status }) => {
    await using server = await SloppyServer.open(era, change, status);
    const one = await alone(server, way, sdk);
    expect(differences(one, await through(server, way, sdk), [WORDS])).toEqual([]);
  });

  it.each(CLIENTS)('the rig itself sees a sound server at work: %s, SDK %s', async (era, sdk) => {
    await using server = await SloppyServer.open(era, SOUND);
    const works = { opened: { kind: 'works' }, listed: { value: ['say', 'fail'] }, said: { kind: 'works' } };
    expect(await alone(server, 'http', sdk)).toMatchObject(works);
    expect(await through(server, 'streams', sdk)).toMatchObject({ ...works, isAlive: true });
  });
});
