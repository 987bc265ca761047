import { readdir, readFile } from 'node:fs/promises';

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//;

/** The names, versions and licence texts of all packages that are bundled into the programs of a folder. */
export async function thirdPartyNotices(dist: URL): Promise<string> {
  const packages = await Promise.all([...(await bundledPackages(dist))].map(notice));
  const introduction = 'The programs in `dist` contain code of these packages.\n';
  return ['# Third-party notices\n', introduction, ...packages.toSorted()].join('\n');
}

/** The folders of the packages that the source maps name. */
async function bundledPackages(dist: URL): Promise<Set<string>> {
  const folders = new Set<string>();
  for (const file of await readdir(dist)) {
    if (!file.endsWith('.map')) continue;
    const map: { sources: string[] } = JSON.parse(await readFile(new URL(file, dist), 'utf8'));
    for (const source of map.sources) {
      const folder = PACKAGE_FOLDER.exec(source)?.[0];
      if (folder !== undefined) folders.add(new URL(folder, dist).href);
    }
  }
  return folders;
}

async function notice(folder: string): Promise<string> {
  const manifest: { name: string; version: string; license: string } = JSON.parse(
    await readFile(new URL('package.json', folder), 'utf8'),
  );
  const file = (await readdir(new URL(folder))).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? 'no licence file' : await readFile(new URL(file, folder), 'utf8');
  return `## ${manifest.name} ${manifest.version} (${manifest.license})\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
