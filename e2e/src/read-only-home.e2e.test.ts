import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { fixtureServer } from './testing/fixture-server.js';
import { MachineUser, NO_USERS } from './testing/machine-user.js';

describe.skipIf(NO_USERS !== '')(`a home folder that cannot be written${NO_USERS}`, () => {
  it('keeps nobody from serving, from adding a server to the session and from calling it', async () => {
    using user = MachineUser.arrive();
    user.lockHome();
    await using mcpmux = user.mcpmux({ args: ['serve', '--add-policy', 'allow', '--log-level', 'debug'] });
    await mcpmux.initialize();
    await mcpmux.call('add_server', { name: 'e', ...fixtureServer('echo') });
    const { result } = await mcpmux.call('e__echo', { message: 'served' });
    expect(result?.['content']).toEqual([{ type: 'text', text: 'served' }]);
    const saved = await mcpmux.call('add_server', { name: 'f', ...fixtureServer('echo'), persist: true });
    expect(JSON.stringify(saved)).toMatch(/EACCES|permission/);
    expect(readdirSync(user.home)).toEqual([]);
  });

  it.each([[['add', 'e', '--', 'true']], [['init', '--yes']]])(
    'is told by the command %j, with the file and what to do',
    (words) => {
      using user = MachineUser.arrive();
      user.lockHome();
      expect(user.command(...words)).toEqual({
        code: 1,
        stderr: expect.stringMatching(/config\.json cannot be written \(EACCES\); it is unchanged\.\nNext: /),
      });
      expect(readdirSync(user.home)).toEqual([]);
    },
  );
});
