import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Writes into a program of Windows on each system; Node.js 25.5, which does so itself, does not start under Wine 8. */
const POSTJECT = join(root, 'node_modules', '.cache', 'windows-postject', 'package', 'dist', 'api.js');
/** Names the section of Node.js, and the text by which Node.js finds that the section is there. */
const SECTION = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

interface Postject {
  inject(file: string, section: string, content: Buffer, options: { sentinelFuse: string }): Promise<void>;
}

/** What builds the file. */
export interface SingleFileParts {
  /** An empty folder, and the path of a file as Windows sees it. */
  readonly folder: string;
  readonly seen: (path: string) => string;
  /** The Node.js for Windows, and what runs it to its end. */
  readonly node: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

/** Builds the command as one executable file for Windows. Resolves to its path; to undefined without postject. */
export async function windowsSingleFile(parts: SingleFileParts): Promise<string | undefined> {
  if (!existsSync(POSTJECT)) return undefined;
  const { folder, seen } = parts;
  const [script, blob, settings] = [
    join(folder, 'mcpmux.cjs'),
    join(folder, 'mcpmux.blob'),
    join(folder, 'sea.json'),
  ];
  const tool = pathToFileURL(join(root, 'tools', 'single-file', 'bundle.mjs')).href;
  const bundles = (await import(tool)) as { bundle(file: string): Promise<void> };
  await bundles.bundle(script);
  const paths = { main: seen(script), output: seen(blob) };
  await writeFile(settings, JSON.stringify({ ...paths, disableExperimentalSEAWarning: true }));
  await parts.run(['--experimental-sea-config', seen(settings)]);
  const executable = join(folder, 'mcpmux.exe');
  await copyFile(parts.node, executable);
  await chmod(executable, 0o755);
  const postject = createRequire(import.meta.url)(POSTJECT) as Postject;
  await postject.inject(executable, SECTION, await readFile(blob), { sentinelFuse: FUSE });
  return executable;
}
