import { describe, expect, it } from 'vitest';

import { failureOf } from '../live/failure-of.js';
import { importServers } from './import.js';
import { install, uninstall } from './install.js';
import { TemporaryHome } from './testing/temporary-home.js';

const CURSOR = '.cursor/mcp.json';

describe('a client whose servers are no object', () => {
  it.each([
    ['a list', '{\n  "mcpServers": []\n}\n'],
    ['a text', '{\n  "mcpServers": "none"\n}\n'],
  ])('as %s is told with the place and what was expected, and its file stays', async (_, text) => {
    using home = new TemporaryHome();
    home.write(CURSOR, text);
    const context = home.context();
    const commands = [
      install(context, ['cursor'], {}),
      uninstall(context, ['cursor'], {}),
      importServers(context, ['cursor'], {}),
    ];
    for (const command of commands) {
      const failure = command.then(() => undefined, failureOf);
      await expect(failure).resolves.toMatchObject({
        code: 'CLIENT_FILE_INVALID',
        exitCode: 2,
        message: expect.stringContaining(
          `${home.path(CURSOR)}:2:3: mcpServers: expected an object`,
        ) as string,
      });
    }
    expect(home.read(CURSOR)).toBe(text);
  });

  it('as null has none: mcpmux is put there, and an import finds nothing', async () => {
    using home = new TemporaryHome();
    home.write(CURSOR, '{\n  "a": 1, "mcpServers": null\n}\n');
    expect(await importServers(home.context({ json: true }), ['cursor'], {})).toBe(0);
    expect(JSON.parse(home.out)).toMatchObject({ servers: [], written: false });
    expect(await install(home.context(), ['cursor'], {})).toBe(0);
    expect(JSON.parse(home.read(CURSOR))).toMatchObject({ a: 1, mcpServers: { mcpmux: {} } });
  });
});
