import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { CLI } from './built-cli.js';

/** A copy of the built command that says it is of another version. Returns its path. */
export async function otherVersion(folder: string, version: string): Promise<string> {
  const [bin, from] = [join(folder, 'bin'), dirname(dirname(CLI))];
  const dist = join(folder, 'dist');
  await mkdir(bin, { recursive: true });
  await cp(CLI, join(bin, 'mcpmux.cjs'));
  await cp(join(from, 'dist'), dist, { recursive: true, filter: (file) => !file.endsWith('.map') });
  const { version: own } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as {
    version: string;
  };
  // The build holds the manifest, or its version alone: in the entry of the command, and in that of the relay.
  const manifest = new RegExp(
    `(package_default\\s*=\\s*\\{\\s*(?:name:\\s*"@mcpmux/cli",\\s*)?version:\\s*)"${own}"`,
    'g',
  );
  const programs = (await readdir(dist)).filter((name) => name.endsWith('.cjs'));
  const changed = programs.map(async (name) => {
    const text = await readFile(join(dist, name), 'utf8');
    const other = text.replaceAll(manifest, `$1"${version}"`);
    if (other === text) return 0;
    await writeFile(join(dist, name), other);
    return 1;
  });
  const count = (await Promise.all(changed)).reduce<number>((sum, one) => sum + one, 0);
  if (count < 2) throw new Error(`the version stands in ${count} files of the build`);
  return join(bin, 'mcpmux.cjs');
}
