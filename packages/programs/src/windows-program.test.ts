import { describe, expect, it } from 'vitest';

import type { ProcessSpec } from './program-spec.js';
import { NPX, SHIM } from './testing/shims.js';
import { windowsDisk } from './testing/windows-disk.js';
import { findWindowsProgram } from './windows-program.js';

const NODE = String.raw`C:\Program Files\nodejs`;
const TOOLS = String.raw`D:\my tools`;
const FILES = {
  [`${NODE}\\node.exe`]: '',
  [`${NODE}\\npx`]: '#!/usr/bin/env bash',
  [`${NODE}\\npx.cmd`]: NPX,
  [`${NODE}\\node_modules\\npm\\bin\\npx-cli.js`]: '',
  [`${TOOLS}\\uvx.exe`]: '',
  [`${TOOLS}\\srv.bat`]: '@node server.js %*',
  [`${TOOLS}\\srv.cmd`]: '@node server.js %*',
  [`${TOOLS}\\both.cmd`]: '',
  [`${TOOLS}\\both.exe`]: '',
  [`${TOOLS}\\python3.11.exe`]: '',
  [`${TOOLS}\\pkg.cmd`]: SHIM,
  [String.raw`D:\pkg\cli.js`]: '',
  [`${TOOLS}\\server.js`]: '',
  [String.raw`C:\Windows\System32\cmd.exe`]: '',
};
const ENV = { Path: `C:\\Windows\\System32;"${NODE}";;${TOOLS}`, PATHEXT: '.COM;.EXE;.BAT;.CMD;.JS' };
const NPX_CLI = String.raw`C:\Program Files\nodejs\node_modules\npm\bin\npx-cli.js`;

async function started(spec: Partial<ProcessSpec>, files: Readonly<Record<string, string>> = {}) {
  const system = windowsDisk({ ...FILES, ...files }, { Path: TOOLS });
  const { command, args, windowsVerbatimArguments } = await findWindowsProgram(
    { command: 'node', args: [], env: ENV, ...spec },
    system,
  );
  return windowsVerbatimArguments ? { command, args, windowsVerbatimArguments } : { command, args };
}

describe('a name on Windows', () => {
  it.each([
    ['node', `${NODE}\\node.exe`],
    ['node.exe', `${NODE}\\node.exe`],
    ['UVX', `${TOOLS}\\UVX.exe`],
    ['both', `${TOOLS}\\both.exe`],
    ['python3.11', `${TOOLS}\\python3.11.exe`],
  ])('%s is found in PATH by the endings of PATHEXT, in their order', async (command, path) => {
    await expect(started({ command, args: ['-y'] })).resolves.toEqual({ command: path, args: ['-y'] });
  });

  it('is found by the usual endings where PATHEXT is missing or empty', async () => {
    for (const env of [{ PATH: TOOLS }, { PATH: TOOLS, PATHEXT: '' }])
      await expect(started({ command: 'uvx', env })).resolves.toMatchObject({ command: `${TOOLS}\\uvx.exe` });
  });

  it('is found in the PATH of mcpmux if the environment has none, as Windows passes that on', async () => {
    await expect(started({ command: 'uvx', env: {} })).resolves.toMatchObject({ args: [] });
    await expect(started({ command: 'uvx', env: { PATH: '' } })).rejects.toThrow('in PATH (empty)');
  });

  it('is not looked for in the working directory', async () => {
    await expect(started({ command: 'uvx', cwd: TOOLS, env: { PATH: NODE } })).rejects.toThrow('not found');
  });

  it('is refused with PATH, PATHEXT and the next step if it is missing', async () => {
    await expect(
      started({ command: 'uv', env: { PATH: 'C:\\bin', PATHEXT: '.EXE;.CMD' } }),
    ).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message:
        'command "uv" was not found in PATH (C:\\bin), with the endings of PATHEXT (.EXE;.CMD). ' +
        'It comes with uv. Install that, or give its absolute path.',
    });
  });

  it.each(['', 'nul\0byte'])('that no file can have (%j) is not found', async (command) => {
    await expect(started({ command })).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
  });
});

it('the environment on Windows has the last of the variables that differ only in case', async () => {
  const env = { Path: NODE, A: '1', PATH: TOOLS };
  const spec = { command: 'uvx', args: [], env };
  expect((await findWindowsProgram(spec, windowsDisk(FILES))).env).toEqual({ PATH: TOOLS, A: '1' });
});

describe('a path on Windows', () => {
  it.each([
    [`${TOOLS}\\uvx.exe`, undefined],
    ['D:/my tools/uvx', undefined],
    ['.\\uvx', TOOLS],
    ['my tools/uvx.exe', 'D:\\'],
  ])('%s counts from cwd, with or without its ending', async (command, cwd) => {
    const { command: path } = await started({ command, cwd });
    expect(path.toLowerCase()).toBe(`${TOOLS}\\uvx.exe`.toLowerCase());
  });

  it('is refused with the file and PATHEXT if it is missing', async () => {
    await expect(
      started({ command: '.\\bin\\srv', cwd: 'D:\\', env: { PATHEXT: '.EXE' } }),
    ).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message:
        'command ".\\\\bin\\\\srv" was not found: there is no file D:\\bin\\srv, ' +
        'nor one with the endings of PATHEXT (.EXE).',
    });
  });

  it('to a script is refused with the program that runs it', async () => {
    await expect(started({ command: `${TOOLS}\\server.js`, args: ['--a'] })).rejects.toMatchObject({
      code: 'COMMAND_NOT_EXECUTABLE',
      message:
        `command "D:\\\\my tools\\\\server.js" cannot be executed: ${TOOLS}\\server.js is neither a program nor ` +
        'a .cmd or .bat file. Give the program that runs it: ' +
        '{"command":"node","args":["D:\\\\my tools\\\\server.js","--a"]}.',
    });
  });

  it('to another file is refused', async () => {
    const spec = { command: 'D:\\a.txt' };
    await expect(started(spec, { 'D:\\a.txt': '' })).rejects.toThrow(
      'nor a .cmd or .bat file. Give a program.'.slice(4),
    );
  });

  it('with arguments behind it is refused with the place where arguments go', async () => {
    await expect(started({ command: 'npx -y pkg' })).rejects.toThrow('Arguments go into args');
  });
});

describe('a shim of npm', () => {
  it.each(['npx', 'npx.cmd', `${NODE}\\npx.cmd`, `${NODE}\\npx`])('%s starts by Node.js', async (command) => {
    await expect(started({ command, args: ['-y', 'a b'] })).resolves.toEqual({
      command: `${NODE}\\node.exe`,
      args: [NPX_CLI, '-y', 'a b'],
    });
  });

  it('prefers the npm that npm has installed for the user', async () => {
    const newer = String.raw`C:\Users\a\npm\node_modules\npm\bin\npx-cli.js`;
    const env = { ...ENV, APPDATA: String.raw`C:\Users\a` };
    await expect(started({ command: 'npx', env }, { [newer]: '' })).resolves.toMatchObject({ args: [newer] });
    await expect(started({ command: 'npx', env })).resolves.toMatchObject({ args: [NPX_CLI] });
  });

  it('of a package starts by the Node.js of PATH', async () => {
    await expect(started({ command: 'pkg', args: ['&'] })).resolves.toEqual({
      command: `${NODE}\\node.exe`,
      args: [String.raw`D:\pkg\cli.js`, '&'],
    });
  });

  it.each([
    ['is missing', { [`${TOOLS}\\other.cmd`]: SHIM.replace('pkg\\cli.js', 'gone.js') }, ENV],
    ['has no node.exe', { [`${TOOLS}\\other.cmd`]: SHIM }, { PATH: TOOLS }],
    [
      'has a node that is a batch file',
      { [`${TOOLS}\\other.cmd`]: SHIM, 'E:\\node.cmd': '' },
      { PATH: `E:\\;${TOOLS}` },
    ],
  ])('starts by cmd.exe if its script %s', async (_, files, env) => {
    await expect(started({ command: 'other', env }, files)).resolves.toMatchObject({
      command: String.raw`C:\Windows\System32\cmd.exe`,
    });
  });
});

describe('a batch file', () => {
  it('starts by cmd.exe, with its arguments quoted', async () => {
    await expect(started({ command: 'srv', args: ['a b', 'x&y'] })).resolves.toEqual({
      command: String.raw`C:\Windows\System32\cmd.exe`,
      args: ['/e:ON', '/v:OFF', '/d', '/s', '/c', `""${TOOLS}\\srv.bat" "a b" "x&y""`],
      windowsVerbatimArguments: true,
    });
  });

  it('starts by the shell of the environment', async () => {
    const env = { ...ENV, COMSPEC: 'E:\\cmd.exe' };
    await expect(started({ command: 'srv', env })).resolves.toMatchObject({ command: 'E:\\cmd.exe' });
    const elsewhere = { ...ENV, SYSTEMROOT: 'F:\\Win' };
    await expect(started({ command: 'srv', env: elsewhere })).resolves.toMatchObject({
      command: String.raw`F:\Win\System32\cmd.exe`,
    });
  });
});

describe('a program behind cmd /c', () => {
  it.each([
    ['cmd', ['/c', 'npx', '-y', 'a b']],
    ['cmd.exe', ['/C', 'npx', '-y', 'a b']],
    [String.raw`C:\Windows\System32\cmd.exe`, ['/d', '/s', '/c', 'npx', '-y', 'a b']],
  ])('%s %j starts without the shell', async (command, args) => {
    await expect(started({ command, args })).resolves.toEqual({
      command: `${NODE}\\node.exe`,
      args: [NPX_CLI, '-y', 'a b'],
    });
  });

  it.each([
    ['a line of its own', ['/c', 'cd x && npx -y pkg']],
    ['an operator', ['/c', 'npx', 'pkg', '2>', 'log']],
    ['a variable', ['/c', 'npx', '%PKG%']],
    ['a command of the shell', ['/c', 'dir']],
    ['another flag', ['/k', 'npx']],
    ['another shell', ['/c', 'cmd', '/c', 'npx']],
    ['nothing', []],
    ['no program', ['/c']],
  ])('keeps the shell for %s', async (_, args) => {
    await expect(started({ command: 'cmd', args })).resolves.toEqual({
      command: String.raw`C:\Windows\System32\cmd.exe`,
      args,
    });
  });
});
