import { dirname } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { add, type AddFlags } from './add.js';
import { TemporaryHome } from './testing/temporary-home.js';

const URL = 'https://example.com/mcp';
const FROM = '{"command":"node"}';

const REFUSED: readonly (readonly [string, readonly string[], AddFlags, string])[] = [
  ['a variable of a url', ['x', URL], { env: ['TOKEN=hunter2'] }, 'a server at a url has neither'],
  ['a working directory of a url', ['x', URL], { cwd: '/srv' }, 'a server at a url has neither'],
  ['stdio to a url', ['x', URL], { transport: 'stdio' }, 'cannot use stdio'],
  ['an era that the transport of a url lacks', ['x', URL], { transport: 'sse', protocol: 'modern' }, 'SSE'],
  ['a header of a command', ['x', 'node', 'a'], { header: ['A: hunter2'] }, 'for servers at a url'],
  ['a transport of a command', ['x', 'node', 'a'], { transport: 'http' }, 'for servers at a url'],
  ['a variable beside a whole entry', ['x'], { from: FROM, env: ['A=hunter2'] }, 'the whole entry'],
  ['an era beside a whole entry', ['x'], { from: FROM, protocol: 'legacy' }, 'the whole entry'],
  ['a command beside a whole entry', ['x', 'node'], { from: FROM }, 'the whole entry'],
];

it.each(REFUSED)('%s is refused and not dropped', async (_, words, flags, message) => {
  using home = new TemporaryHome();
  const refusal: unknown = await add(home.context(), words, flags).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ failure: { code: 'USAGE', exitCode: 2 } });
  expect(JSON.stringify(refusal)).not.toContain('hunter2');
  expect(String(refusal)).toContain(message);
  expect(home.list('.')).toEqual([]);
});

it.each([
  ['a url without its scheme', ['far', 'example.com/mcp'], 'https://example.com/mcp'],
  ['a url without its scheme and without a name', ['mcp.example.com/'], 'https://mcp.example.com/'],
  ['a word behind a url', ['far', URL, 'x'], 'one argument too many'],
])('%s is no program', async (_, words, reported) => {
  using home = new TemporaryHome();
  const refusal: unknown = await add(home.context(), words, {}).catch((error: unknown) => error);
  expect(JSON.stringify(refusal) + String(refusal)).toContain(reported);
  expect(home.list('.')).toEqual([]);
});

it('a package keeps the arguments behind it, and a url needs no name', async () => {
  // Without npm and uv, no version is found.
  using home = new TemporaryHome({ PATH: '/none' });
  const context = home.context({ quiet: true });
  await add(context, ['files', 'npm:@modelcontextprotocol/server-filesystem', '/tmp'], {});
  await add(context, ['pypi:mcp-server-git', '--repository', '.'], {});
  await add(context, [URL], {});
  expect(JSON.parse(home.read('.config/mcpmux/config.json'))).toMatchObject({
    mcpServers: {
      files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'] },
      git: { command: 'uvx', args: ['mcp-server-git', '--repository', '.'] },
      example: { type: 'http', url: URL },
    },
  });
});

it('the next command names the config, and quotes the name', async () => {
  using home = new TemporaryHome({ PATH: dirname(process.execPath) });
  await add(home.context(), ['odd name!', 'node'], { scope: 'project' });
  expect(home.err).toContain("Next: mcpmux tools 'odd name!' --scope project");
  await add(home.context(), ['x', 'node'], { config: 'my config.json' });
  expect(home.err).toContain(`Next: mcpmux tools x --config '${home.path('my config.json')}'`);
  await add(home.context(), ['x', 'node'], {});
  expect(home.err).toContain('Next: mcpmux tools x\n');
});

it('a program that is missing is reported when it is added', async () => {
  using home = new TemporaryHome({ PATH: dirname(process.execPath) });
  expect(await add(home.context(), ['typo', 'no-such-program-here'], {})).toBe(0);
  const { err } = home;
  expect(err).toContain('typo cannot be started here: command "no-such-program-here" was not found');
  expect(err).toContain('Next: mcpmux doctor typo\n');
});

it('what is given is in the entry', async () => {
  using home = new TemporaryHome();
  const context = home.context({ quiet: true });
  await add(context, ['far', URL], { header: ['A: b'], transport: 'sse' });
  await add(context, ['near', 'node', 'x.js'], { env: ['A=b=c'], cwd: '/srv', protocol: 'modern' });
  expect(JSON.parse(home.read('.config/mcpmux/config.json'))).toMatchObject({
    mcpServers: {
      far: { type: 'sse', url: URL, headers: { A: 'b' } },
      near: { command: 'node', args: ['x.js'], env: { A: 'b=c' }, cwd: '/srv', mux: { protocol: 'modern' } },
    },
  });
});
