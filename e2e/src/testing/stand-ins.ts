import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { Person } from './person.js';

const KEYRING = fileURLToPath(new URL('keyring-in-file.cjs', import.meta.url));

/** Programs that pages name beside mcpmux. They run mcpmux or the echo server where the real ones would fetch it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  npx: '[ "$1" = -y ] && shift\ncase "$1" in\n@mcpmux/cli*) shift; exec mcpmux "$@" ;;\n*/inspector*) exit 0 ;;\n*) exec mcpmux-echo ;;\nesac',
  docker: '[ "$1" = run ] && exec mcpmux-echo\nexit 0',
  claude: 'exit 0',
  codex: 'exit 0',
  npm: 'exit 0',
  openssl: 'echo 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
};

/** Writes the programs into the folder that a newcomer's PATH begins with, and a keyring. */
export async function writeStandIns(person: Person): Promise<void> {
  for (const [name, script] of Object.entries(PROGRAMS))
    await chmod(await person.write(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
  const keyring = `module.exports = require(${JSON.stringify(KEYRING)});`;
  await person.write('modules/@napi-rs/keyring/index.js', keyring);
}

/** The variables of a newcomer with a keyring, whose folders for temporary files nobody else uses. */
export function standInVariables({ home }: Person): Readonly<Record<string, string>> {
  return {
    // where the package of the keyring is not installed, and where it is
    NODE_PATH: `${home}/modules`,
    NAPI_RS_NATIVE_LIBRARY_PATH: KEYRING,
    KEYRING_FILE: `${home}/keyring.json`,
    TMPDIR: home,
    XDG_RUNTIME_DIR: home,
  };
}
