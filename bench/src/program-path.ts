import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { resolve } = createRequire(import.meta.url);

/** The built file of one of the programs in `src/programs`. This module must stay beside that folder. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}

/** The folder of an installed package. */
export function packageFolder(name: string): string {
  return dirname(resolve(`${name}/package.json`));
}

/** A file of an installed package. */
export function packageFile(name: string, file: string): string {
  return join(packageFolder(name), file);
}
