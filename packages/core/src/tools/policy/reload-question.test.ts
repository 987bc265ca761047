import { tmpdir } from 'node:os';

import { describe, expect, it } from 'vitest';

import type { Principal } from '../../guards/principal.js';
import { FakeSpawner } from '../../testing/fake-server.js';
import { OwnToolsRig } from '../../testing/own-tools-rig.js';
import type { ServerConfig } from '../../server/config/server-config.js';
import { quoteIfUnclear } from '../journal/audit.js';
import { MAX_COMMAND_LENGTH } from './add-question.js';

const NODE = process.execPath;
const FOLDER = tmpdir();
const ANN: Principal = { id: 'ann', roles: [], rights: [] };

/** A client over HTTP reloads a failed server of the host, whose configuration is `config` by now. */
async function reloadTo(config: ServerConfig) {
  await using rig = new OwnToolsRig(new FakeSpawner(), { mode: 'ask' });
  Object.assign(rig, { principal: ANN, isStdio: false });
  const problem = 'TOKEN is not set';
  const failed = rig.registryRig.registry.add('broken', { problem }, { reread: () => ({ config }) });
  failed.keep();
  await failed.started.catch(() => undefined);
  rig.userAnswers = { result: { action: 'decline' } };
  const result = await rig.result('reload_server', { name: 'broken' });
  return { asked: rig.asked.join('\n').split('\n'), text: result.content[0]?.text ?? '', rig };
}

describe('the question about the reload of a failed server', () => {
  it('shows of a program all that the question about an addition shows', async () => {
    const env = { KEY: 'canary-2', NODE_OPTIONS: '--require /tmp/x.js' };
    const args = ['kit.js', '--token', 'canary-1', 'canary-2'];
    const { asked } = await reloadTo({
      command: NODE,
      args,
      env,
      cwd: `${FOLDER}\u202e`,
      inheritEnv: 'safe',
    });
    expect(asked).toEqual([
      'mcpmux: the agent wants to stop and start again the MCP server "broken", which it has not added.',
      'It could not be started before. Now it is:',
      `${quoteIfUnclear(NODE)} kit.js --token [redacted] [redacted]`,
      'Environment variables that it sets: KEY=[redacted], "NODE_OPTIONS=--require /tmp/x.js"',
      'Environment that it inherits: a short list of ordinary variables',
      String.raw`Working directory: ${FOLDER}\u{202e}`,
      'Hidden as [redacted], because they look like secrets: 2',
      'Accept to let it run with your rights.',
    ]);
  });

  it('shows of a server at a url its host and the names of its headers', async () => {
    const url = 'https://me:canary-1@example.com/mcp?key=canary-2';
    const { asked } = await reloadTo({ url, headers: { Authorization: 'Bearer canary-3' } });
    expect(asked.slice(2)).toEqual([
      'https://[redacted]@example.com/mcp?key=[redacted]',
      'HTTP headers that it sends: Authorization',
      'Transport: auto',
      'Hidden as [redacted], because they look like secrets: 3',
      'Accept to let mcpmux send it the calls of the agent.',
    ]);
  });

  it.each<readonly [string, ServerConfig]>([
    ['more than a user can check', { command: NODE, args: ['x'.repeat(MAX_COMMAND_LENGTH)] }],
    ['more than a user can check', { command: NODE, env: { MODE: 'x'.repeat(MAX_COMMAND_LENGTH) } }],
    ['neither shown nor hidden', { command: NODE, args: ['-e', 'token=$(curl x|sh)'] }],
    ['more than a user can check', { url: `https://example.com/${'a'.repeat(MAX_COMMAND_LENGTH)}` }],
  ])('is not asked where it has %s', async (reason, config) => {
    const { asked, text, rig } = await reloadTo(config);
    expect(asked).toEqual(['']);
    expect(text).toContain('Server "broken" was not reloaded: ');
    expect(text).toContain(reason);
    expect(rig.audited).toMatchObject([{ action: 'reload', outcome: 'refused', rule: 'ask' }]);
    expect(rig.spawner.servers).toEqual([]);
  });
});
