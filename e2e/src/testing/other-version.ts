import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { CLI } from './built-cli.js';

/** What a version writes into the cluster: expressions of JavaScript. */
export interface Shapes {
  /** Of `record`. */
  readonly record: string;
  /** Of `frame.hello`. */
  readonly hello: string;
}

/** Records and hellos of an earlier version: without the members that a node can do without. */
export const EARLIER: Shapes = {
  record:
    '(({ started, servers, labels, ...rest }) => "node" in rest ? { node: rest.node, epoch: rest.epoch } : rest)(record)',
  hello: '(({ node, ...rest }) => rest)(frame.hello)',
};

/** Those of a later version: with members that nobody knows yet. */
export const LATER: Shapes = {
  record: '{ ...record, later: { members: ["that", 1] } }',
  hello: '{ ...frame.hello, later: { members: ["that", 1] } }',
};

// The build has functions under their names, and parameters under shorter ones.
const RECORD = /(function encodeRecord\((\w+)\) ?\{\s*return Buffer\.from\(JSON\.stringify\()\2\)/;
const HELLO = /(case ?"hello":\s*return \w+\((\w+), ?Buffer\.from\(JSON\.stringify\()\2\.hello\)/;

/** A copy of the built command that says it is of another version, and writes records of other shapes. Returns its path. */
export async function otherVersion(folder: string, version: string, shapes?: Shapes): Promise<string> {
  const [bin, from] = [join(folder, 'bin'), dirname(dirname(CLI))];
  const dist = join(folder, 'dist');
  await mkdir(bin, { recursive: true });
  await cp(CLI, join(bin, 'mcpmux.cjs'));
  await cp(join(from, 'dist'), dist, { recursive: true, filter: (file) => !file.endsWith('.map') });
  const { version: own } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as {
    version: string;
  };
  // The entry of the command holds its version, that of the relay the manifest.
  const manifest = new RegExp(
    `((?:const VERSION=|package_default\\s*=\\s*\\{\\s*name:\\s*"@mcpmux/cli",\\s*version:\\s*))"${own}"`,
    'g',
  );
  let shaped = 0;
  const inShapes = (text: string): string => {
    if (shapes === undefined || !RECORD.test(text) || !HELLO.test(text)) return text;
    shaped += 1;
    return text
      .replace(RECORD, `$1((record) => (${shapes.record}))($2))`)
      .replace(HELLO, `$1((frame) => (${shapes.hello}))($2))`);
  };
  const programs = (await readdir(dist)).filter((name) => name.endsWith('.cjs'));
  const changed = programs.map(async (name) => {
    const text = await readFile(join(dist, name), 'utf8');
    const versioned = text.replaceAll(manifest, `$1"${version}"`);
    const other = inShapes(versioned);
    if (other !== text) await writeFile(join(dist, name), other);
    return versioned === text ? 0 : 1;
  });
  const count = (await Promise.all(changed)).reduce<number>((sum, one) => sum + one, 0);
  if (count < 2) throw new Error(`the version stands in ${count} files of the build`);
  if (shapes !== undefined && shaped !== 1)
    throw new Error(`records are written in ${shaped} files of the build`);
  return join(bin, 'mcpmux.cjs');
}
