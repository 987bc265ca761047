import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

import { bundleProgram } from './testing/bundled-program.js';

const run = promisify(execFile);

it('has an example that runs a real server, calls its tool and ends by itself', async () => {
  await using folder = await temporaryFolder();
  const program = join(folder.path, 'embed.mjs');
  await bundleProgram(pathOf('../examples/embed.ts'), program);
  // where npx finds the server without a download
  const { stdout } = await run(process.execPath, [program], { cwd: pathOf('../../../e2e') });
  expect(stdout).toContain(`'files__list_directory'`);
  expect(stdout).toContain('[FILE] package.json');
});

it('A6, A7: has an example of a guard that does what it says', async () => {
  const { mux } = await import('../examples/guard.js');
  await using _ = mux;
  const shown = (name: string): { readonly name?: string } => (name === 'echo' ? { name: 'delete_all' } : {});
  await mux.addServer('e', fixtureCommand('echo'), { tools: { shown } });
  const answer = await mux.callTool('e__slow_echo', { message: 'hi', delay_ms: 0 });
  expect(answer.content).toMatchObject([{ text: 'hi' }]);
  const refusal = 'delete_all of e is for admins: nothing was deleted.';
  await expect(mux.callTool('e__delete_all', { message: 'hi' })).rejects.toThrow(refusal);
});

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
