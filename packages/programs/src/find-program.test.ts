import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import { MuxError } from '@mcpmux/kit';
import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';
import { findProgram } from './find-program.js';
import type { ProcessSpec } from './program-spec.js';

const EXECUTABLE = 0o755;
const PLAIN = 0o644;

async function makeFile(folder: TemporaryFolder, name: string, mode: number): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, mode);
  return path;
}

/** The refusal of one launch, as code and message; undefined when nothing is wrong with it. */
async function refusal(spec: Partial<ProcessSpec>): Promise<readonly [string, string] | undefined> {
  try {
    await findProgram({ command: 'sh', args: [], env: { PATH: '/bin:/usr/bin' }, ...spec });
    return undefined;
  } catch (error) {
    if (!(error instanceof MuxError)) throw error;
    return [error.code, error.message];
  }
}

describe.runIf(process.platform !== 'win32')('a command', () => {
  it('without a slash is looked for on PATH', async () => {
    await expect(refusal({ command: 'sh' })).resolves.toBeUndefined();
  });

  it('fault A9: that is nowhere on PATH is refused with its name, and without a PATH that fills the screen', async () => {
    await expect(refusal({ command: 'no-such-program', env: { PATH: '/usr/bin::/bin' } })).resolves.toEqual([
      'COMMAND_NOT_FOUND',
      'command "no-such-program" was not found in PATH (/usr/bin:/bin). ' +
        'Install it, or give its absolute path.',
    ]);
  });

  it('fault A9: is refused with the number of folders where PATH is long', async () => {
    const PATH = Array.from({ length: 20 }, (_, index) => `/a/long/folder/${index}`).join(delimiter);
    const [, message] = (await refusal({ command: 'constructor', env: { PATH } })) ?? [];
    expect(message).toBe(
      'command "constructor" was not found in PATH (20 folders). Install it, or give its absolute path.',
    );
  });

  it('fault A9: of a known package is refused with the name of the package', async () => {
    const [, message] = (await refusal({ command: 'uvx', env: { PATH: '/no/folder' } })) ?? [];
    expect(message).toContain('It comes with uv. Install that, or give its absolute path');
  });

  it.each(['cmd', 'cmd.exe', 'CMD'])(
    'W7: that is %s of Windows is refused with the program itself',
    async (command) => {
      const spec = { command, args: ['/c', 'npx', '-y', 'pkg'], env: { PATH: '/bin' } };
      await expect(refusal(spec)).resolves.toEqual([
        'COMMAND_NOT_FOUND',
        `command "${command}" was not found: it is the shell of Windows, and this system needs none. ` +
          'Give the program itself: {"command":"npx","args":["-y","pkg"]}.',
      ]);
    },
  );

  it.each([[{}], [{ PATH: '' }]])('is not found where the environment is %o', async (env) => {
    await expect(refusal({ command: 'sh', env })).resolves.toEqual([
      'COMMAND_NOT_FOUND',
      'command "sh" was not found in PATH (empty). Install it, or give its absolute path.',
    ]);
  });

  it("is looked for on the PATH of the server's own environment", async () => {
    await using folder = await temporaryFolder();
    await makeFile(folder, 'my-server', EXECUTABLE);
    const env = { PATH: ['/usr/bin', folder.path].join(delimiter) };
    await expect(refusal({ command: 'my-server', env })).resolves.toBeUndefined();
    await expect(refusal({ command: 'my-server' })).resolves.toMatchObject(['COMMAND_NOT_FOUND', {}]);
  });

  it('is looked for further along PATH than a folder or a plain file of its name', async () => {
    await using folder = await temporaryFolder();
    await makeFile(folder, 'folder/my-server/index', PLAIN);
    await makeFile(folder, 'plain/my-server', PLAIN);
    await makeFile(folder, 'program/my-server', EXECUTABLE);
    const search = (...names: string[]): Partial<ProcessSpec> => ({
      command: 'my-server',
      env: { PATH: names.map((name) => join(folder.path, name)).join(delimiter) },
    });
    await expect(refusal(search('folder', 'plain', 'program'))).resolves.toBeUndefined();
    await expect(refusal(search('folder', 'plain'))).resolves.toMatchObject(['COMMAND_NOT_FOUND', {}]);
  });

  it('is found in a relative folder of PATH, which counts from cwd', async () => {
    await using folder = await temporaryFolder();
    await makeFile(folder, 'node_modules/.bin/my-server', EXECUTABLE);
    const spec = { command: 'my-server', env: { PATH: 'node_modules/.bin:/usr/bin' } };
    await expect(refusal({ ...spec, cwd: folder.path })).resolves.toBeUndefined();
    await expect(refusal(spec)).resolves.toMatchObject(['COMMAND_NOT_FOUND', {}]);
  });

  it('with a slash counts from cwd', async () => {
    await using folder = await temporaryFolder();
    await makeFile(folder, 'bin/my-server', EXECUTABLE);
    await expect(refusal({ command: './bin/my-server', cwd: folder.path })).resolves.toBeUndefined();
    await expect(refusal({ command: 'bin/my-server', cwd: folder.path })).resolves.toBeUndefined();
  });

  it('with a slash and without cwd counts from where mcpmux runs', async () => {
    await using folder = await temporaryFolder();
    const path = await makeFile(folder, 'my-server', EXECUTABLE);
    const command = relative(process.cwd(), path);
    await expect(refusal({ command })).resolves.toBeUndefined();
  });

  it('with a slash that is no file is refused with the path that was looked at', async () => {
    await using folder = await temporaryFolder();
    await expect(refusal({ command: 'bin/my-server', cwd: folder.path })).resolves.toEqual([
      'COMMAND_NOT_FOUND',
      `command "bin/my-server" was not found: there is no file ${folder.path}/bin/my-server.`,
    ]);
  });

  it.each([
    ['npx -y @x/y', '{"command":"npx","args":["-y","@x/y"]}'],
    ['uvx mcp-server-git', '{"command":"uvx","args":["mcp-server-git"]}'],
    ['./run.sh "a b" \'c\'', '{"command":"./run.sh","args":["a b","c"]}'],
  ])(
    'fault A9: with arguments in it is refused with the place where arguments go: %s',
    async (command, split) => {
      const [code, message] = (await refusal({ command })) ?? [];
      expect(code).toBe('COMMAND_NOT_FOUND');
      expect(message).toBe(
        `command ${JSON.stringify(command)} was not found: it is the name of one program, and no shell splits it. ` +
          `Arguments go into args: ${split}.`,
      );
    },
  );

  it('with spaces in its name is started as it is', async () => {
    await using folder = await temporaryFolder();
    const path = await makeFile(folder, 'my server', EXECUTABLE);
    await expect(refusal({ command: path })).resolves.toBeUndefined();
  });

  it('fault A10: that is a folder is refused as one', async () => {
    await using folder = await temporaryFolder();
    await expect(refusal({ command: folder.path })).resolves.toEqual([
      'COMMAND_NOT_EXECUTABLE',
      `command "${folder.path}" cannot be executed: ${folder.path} is a directory.`,
    ]);
  });

  it('fault A10: that lacks the permission to be executed is refused for that', async () => {
    await using folder = await temporaryFolder();
    const path = await makeFile(folder, 'server.js', PLAIN);
    await expect(refusal({ command: path })).resolves.toEqual([
      'COMMAND_NOT_EXECUTABLE',
      `command "${path}" cannot be executed: ${path} is not executable.`,
    ]);
  });

  it.each(['', 'nul\0byte', '/bin/sh\0'])(
    'that no file can have as its name (%j) is not found',
    async (command) => {
      await expect(refusal({ command })).resolves.toMatchObject(['COMMAND_NOT_FOUND', {}]);
    },
  );
});

describe('cwd', () => {
  it('fault A11: that does not exist is what the refusal names, not the command', async () => {
    await using folder = await temporaryFolder();
    const cwd = join(folder.path, 'missing');
    await expect(refusal({ cwd, command: 'no-such-program' })).resolves.toEqual([
      'CWD_NOT_FOUND',
      `cwd ${JSON.stringify(cwd)} does not exist. Give a directory that exists.`,
    ]);
  });

  it('fault A11: that is a file is refused as no directory', async () => {
    await using folder = await temporaryFolder();
    const cwd = await makeFile(folder, 'a-file', PLAIN);
    await expect(refusal({ cwd })).resolves.toEqual([
      'CWD_NOT_FOUND',
      `cwd ${JSON.stringify(cwd)} is not a directory. Give a directory that exists.`,
    ]);
  });
});

describe('a spec', () => {
  it.skipIf(process.platform === 'win32')('stays as it is where the system starts it as it is', async () => {
    const spec = { command: 'sh', args: ['-c', 'true'], env: { PATH: '/bin:/usr/bin' } };
    await expect(findProgram(spec, 'linux')).resolves.toBe(spec);
  });

  it('is refused on Windows, too, if its cwd is missing', async () => {
    const spec = { command: 'no-such-program', args: [], env: { PATH: '' }, cwd: '/no/such/folder' };
    await expect(findProgram(spec, 'win32')).rejects.toThrow('does not exist');
  });

  it('is looked for by the rules of Windows there', async () => {
    const spec = { command: 'no-such-program', args: [], env: { PATH: 'C:\\bin' } };
    await expect(findProgram(spec, 'win32')).rejects.toThrow('PATHEXT');
  });
});
