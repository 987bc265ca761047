// Reads the sources of the packages, without tests and rigs.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'packages');

/** The sources of each package, by their paths below `src`. */
export function packageSources() {
  return readdirSync(packages).map((name) => ({ name, files: sourcesOf(join(packages, name, 'src')) }));
}

function sourcesOf(folder) {
  const paths = readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|(?:^|\/)testing\//.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
