import { dirname } from 'node:path';

import { clientPath } from '@mcpmux/clients';
import { describe, expect, it } from 'vitest';

import { formatFailure } from '../terminal/command-error.js';
import type { CommandContext } from '../terminal/command-context.js';
import { doctor } from './doctor.js';
import { exportServers } from './export.js';
import { failureOf } from '../live/failure-of.js';
import { get } from './get.js';
import { importServers } from './import.js';
import { install, uninstall } from './install.js';
import { list } from './list.js';
import { remove } from './remove.js';
import { disable } from './switch-server.js';
import {
  onOneLine,
  PLANTED_FIXTURES,
  SECRET,
  SECRET_SERVERS,
  withSecrets,
} from './testing/planted-secrets.js';
import { TemporaryHome } from './testing/temporary-home.js';

type Run = (context: CommandContext) => number | Promise<number>;

const NAMES = Object.keys(SECRET_SERVERS);
const cases = PLANTED_FIXTURES.flatMap((fixture) => {
  const { id, format } = fixture.client;
  const layouts = format === 'json' ? ['in lines', 'on one line'] : ['in lines'];
  return layouts.map((layout) => ({ id, fixture, layout }));
});

/** Everything that a command shows, for people and as JSON, also when it fails. */
async function shown(home: TemporaryHome, run: Run): Promise<string> {
  const texts: string[] = [];
  for (const json of [false, true]) {
    try {
      await run(home.context({ json }));
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      texts.push(formatFailure(failure, json));
    }
    texts.push(home.out, home.err);
  }
  return texts.join('\n');
}

/** In the order in which a person would run them. */
function commandsFor(id: string): readonly (readonly [string, Run])[] {
  return [
    ['install --print', (context) => install(context, [id], { print: true })],
    ['install --dry-run', (context) => install(context, [id], { dryRun: true })],
    ['import --dry-run', (context) => importServers(context, [id], { dryRun: true })],
    [
      'import --takeover --dry-run',
      (context) => importServers(context, [id], { takeover: true, dryRun: true }),
    ],
    ['import', (context) => importServers(context, [id], {})],
    ['list --no-start', (context) => list(context, [], { start: false })],
    ...NAMES.map((name): readonly [string, Run] => [`get ${name}`, (context) => get(context, [name], {})]),
    ['disable', (context) => disable(context, NAMES, { dryRun: true })],
    ['remove', (context) => remove(context, NAMES.slice(0, 1), { dryRun: true })],
    ['install', (context) => install(context, [id], {})],
    ['uninstall --dry-run', (context) => uninstall(context, [id], { dryRun: true })],
    ['uninstall', (context) => uninstall(context, [id], {})],
    ['import --takeover', (context) => importServers(context, [id], { takeover: true })],
  ];
}

describe.each(cases)('a secret in the file of $id $layout', ({ id, fixture, layout }) => {
  it('is shown by no command', async () => {
    using home = new TemporaryHome();
    const path = clientPath(fixture.client, 'user', home.context());
    if (path === undefined) throw new TypeError('it has a file here');
    const text = await withSecrets(fixture);
    home.write(path.slice(home.home.length), layout === 'on one line' ? onOneLine(text) : text);
    expect(dirname(path).startsWith(home.home)).toBe(true);
    for (const [command, run] of commandsFor(id)) {
      const output = await shown(home, run);
      expect({ command, lines: output.split('\n').filter((line) => line.includes(SECRET)) }).toEqual({
        command,
        lines: [],
      });
      expect(output.trim()).not.toBe('');
    }
  });
});

describe('a secret in the config of mcpmux', () => {
  it('is shown by no command that starts its servers, nor by what is wrong with them', async () => {
    using home = new TemporaryHome();
    const broken = { command: 5, args: { token: SECRET }, env: [SECRET], url: 7 };
    home.write('.config/mcpmux/config.json', {
      mcpServers: { ...SECRET_SERVERS, broken },
      inputs: [{ id: 'k', default: SECRET }],
    });
    const flags = { fresh: true, timeout: 5_000 };
    const commands: readonly (readonly [string, Run])[] = [
      ['list', (context) => list(context, [], flags)],
      ['doctor', (context) => doctor(context, [], flags)],
      ...[...NAMES, 'broken'].map((name): readonly [string, Run] => [
        `get ${name}`,
        (context) => get(context, [name], {}),
      ]),
    ];
    for (const [command, run] of commands) {
      const output = await shown(home, run);
      expect({ command, lines: output.split('\n').filter((line) => line.includes(SECRET)) }).toEqual({
        command,
        lines: [],
      });
    }
  });

  it('is in an export, which is asked for to be put into a client', async () => {
    using home = new TemporaryHome();
    home.write('.config/mcpmux/config.json', { mcpServers: SECRET_SERVERS });
    await exportServers(home.context(), [], { client: 'cursor' });
    expect(home.out).toContain(SECRET);
    expect(home.err).not.toContain(SECRET);
  });
});
