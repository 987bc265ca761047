import { expect, it } from 'vitest';

import { checkClock } from './check-clock.js';
import { checkOtherConfigs } from './check-other-configs.js';
import { checkSecrets } from './check-secrets.js';
import { checkSocket } from './check-socket.js';
import { TOOL_NAME_RULES, toolsWithLongNames } from './tool-names.js';

const NOW = Date.UTC(2026, 10, 21);
const DAY = 24 * 3_600_000;

it.each([
  ['now', NOW, NOW - DAY, 'ok'],
  ['a moment before a file was written by another computer', NOW, NOW + 1000, 'ok'],
  ['before mcpmux was made', Date.UTC(1970, 0, 1), 0, 'warning'],
  ['long before a file was written', NOW, NOW + 3 * DAY, 'warning'],
])('a clock that says it is %s', (_, now, newest, level) => {
  expect(checkClock(now, newest)).toMatchObject({ subject: 'clock', level });
});

it.each([
  ['values that others can read', 0o644, { env: { TOKEN: 'hunter22' } }, 'warning'],
  ['headers that others can read', 0o640, { headers: { Authorization: 'Bearer hunter22' } }, 'warning'],
  ['values for its owner alone', 0o600, { env: { TOKEN: 'hunter22' } }, 'ok'],
  ['names of variables that others can read', 0o644, { env: { TOKEN: '${TOKEN}' } }, 'ok'],
  ['values where files have no such permissions', undefined, { env: { TOKEN: 'hunter22' } }, 'ok'],
])('a config with %s', (_, mode, entry, level) => {
  const finding = checkSecrets({ file: '/c.json', mode, entries: [{ command: 'x' }, entry] });
  expect(finding).toMatchObject({ subject: 'secrets', level });
  expect(JSON.stringify(finding)).not.toContain('hunter22');
  expect(finding.next?.includes('chmod 600 /c.json') ?? false).toBe(level === 'warning');
});

it('likely secrets in clear are told, by the names of their variables', () => {
  const plainTextSecrets = [['gh', ['TOKEN']]] as const;
  const finding = checkSecrets({
    file: '/c.json',
    mode: 0o600,
    entries: [{ env: { TOKEN: 'hunter22' } }],
    plainTextSecrets,
  });
  expect(finding).toMatchObject({ level: 'warning', message: 'in clear in /c.json: gh (TOKEN)' });
  expect(finding.next).toContain('mcpmux secret set');
});

it('a place where no mcpmux can listen, and one that does not answer, are told with what to do', () => {
  expect(checkSocket({ folder: '/run/mcpmux', silentPids: [] })).toMatchObject([{ level: 'ok' }]);
  expect(checkSocket({ folder: '/run/mcpmux', problem: 'it is a file', silentPids: [7] })).toMatchObject([
    { level: 'warning', message: expect.stringContaining('it is a file') as string },
    {
      level: 'warning',
      message: expect.stringContaining('pid 7') as string,
      next: expect.stringContaining('kill 7') as string,
    },
  ]);
});

it('a server that another config has too is told, by its name or by what it runs', () => {
  const used = {
    file: '/p/mcpmux.json',
    servers: [
      ['a', { command: 'x' }],
      ['b', { command: 'y' }],
    ] as const,
  };
  const other = {
    file: '/u/config.json',
    servers: [
      ['a', { command: 'z' }],
      ['renamed', { command: 'y' }],
      ['own', { command: 'w' }],
    ] as const,
  };
  const [finding, ...more] = checkOtherConfigs(used, [other, { file: '/none.json', servers: [] }]);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ level: 'warning' });
  expect(finding?.message).toContain('/u/config.json has a, renamed too');
});

it.each([
  ['codex', 'mcpmux', 51],
  ['claude-code', 'mcpmux', 115],
  ['cursor', 'mcpmux', 54],
  ['gemini', 'mcpmux', 52],
  ['codex', 'my-multiplexer', 43],
] as const)('%s, which has mcpmux as %s, takes names of tools of %i characters', (client, entry, space) => {
  const names = TOOL_NAME_RULES[client];
  const [fits, exceeds] = ['a'.repeat(space), 'b'.repeat(space + 1)];
  expect(names && toolsWithLongNames(names, entry, [fits, exceeds])).toEqual([exceeds]);
});
