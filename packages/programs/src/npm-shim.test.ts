import { describe, expect, it } from 'vitest';

import { parseNpmShim } from './npm-shim.js';
import { NPX, OLD_SHIM, SHIM } from './testing/shims.js';

const PATH = String.raw`C:\tools\bin\pkg.cmd`;

describe('a shim of npm', () => {
  it.each([
    ['npm 7 and later', SHIM],
    ['npm 6', OLD_SHIM],
    ['npm 7 and later, with the line ends of Linux', SHIM.replaceAll('\r', '')],
  ])('of %s names the script that Node.js runs', (_, text) => {
    expect(parseNpmShim(text, PATH)).toEqual({ scripts: [String.raw`C:\tools\pkg\cli.js`] });
  });

  it('that comes with Node.js names its script, and before it the one of an npm that npm has installed', () => {
    const script = String.raw`node_modules\npm\bin\npx-cli.js`;
    expect(parseNpmShim(NPX, String.raw`C:\node\npx.cmd`)).toEqual({ scripts: [`C:\\node\\${script}`] });
    expect(parseNpmShim(NPX, String.raw`C:\node\npx.cmd`, String.raw`C:\data\npm`)).toEqual({
      scripts: [`C:\\data\\npm\\${script}`, `C:\\node\\${script}`],
    });
  });
});

describe('no shim of npm is', () => {
  it.each([
    ['an empty file', ''],
    ['a batch file', '@node "%~dp0\\server.js" %*'],
    ['a shim with an option of Node.js', SHIM.replace('"%_prog%"  ', '"%_prog%" --no-warnings ')],
    ['a shim of another program', SHIM.replaceAll('node', 'python')],
    ['a shim that sets a variable', SHIM.replace('CALL :find_dp0', 'CALL :find_dp0\r\n@SET A=1')],
    ['a shim with a line after it', `${OLD_SHIM}\r\necho done`],
    ['a shim with a variable in its path', SHIM.replace('..\\pkg', '%PKG%')],
    ['the launcher of npm with another program', NPX.replace('"NODE_EXE=node"', '"NODE_EXE=deno"')],
    ['the launcher of npm with an argument', NPX.replace(/%\*/, '--yes %*')],
    ['the launcher of npm with a line after it', `${NPX}echo done`],
  ])('%s', (_, text) => {
    expect(parseNpmShim(text, PATH)).toBeUndefined();
  });
});
