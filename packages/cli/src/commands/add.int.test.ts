import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { add } from './add.js';
import { TemporaryHome } from './testing/temporary-home.js';

it('--check starts the server once; one that does not start stays in the config, with what to do', async () => {
  using home = new TemporaryHome();
  const { command, args } = fixtureCommand('echo');
  expect(await add(home.context(), ['echo', command, ...args], { check: true })).toBe(0);
  expect(home.err).toMatch(/Added echo to .*\n●  echo  running  2 tools, .*\nNext: mcpmux tools echo\n/);
  expect(await add(home.context(), ['typo', 'no-such-program-here'], { check: true })).toBe(4);
  expect(home.err).toMatch(/✖  typo  crashed .*\nNext: mcpmux doctor typo\n/);
  expect(home.read('.config/mcpmux/config.json')).toContain('no-such-program-here');
});
