import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';

import { BundleArchive } from './bundle-archive.js';
import { BundleFolders } from './bundle-folders.js';

it('what an ended process left half unpacked is deleted a day later, when a bundle is unpacked', async () => {
  await using home = await temporaryFolder();
  const places = { environment: { XDG_STATE_HOME: home.path }, home: home.path, platform: 'linux' } as const;
  const folders = new BundleFolders('/c.json', 'a', places);
  const bundles = join(home.path, 'mcpmux', 'bundles');
  const dayOld = new Date(Date.now() - 25 * 3_600_000);
  for (const name of ['unfinished-old', 'unfinished-now', 'other']) {
    mkdirSync(join(bundles, name, 'part'), { recursive: true });
    if (name !== 'unfinished-now') utimesSync(join(bundles, name), dayOld, dayOld);
  }
  const file = join(home.path, 'x.mcpb');
  writeFileSync(file, zipSync({ 'manifest.json': strToU8('{}') }));
  const archive = await BundleArchive.open(file);
  expect(await folders.ensureUnpacked(archive)).toBe(true);
  expect(existsSync(join(folders.folderFor(archive), 'manifest.json'))).toBe(true);
  expect(readdirSync(bundles).toSorted()).toEqual(
    [folders.folderFor(archive).slice(bundles.length + 1), 'other', 'unfinished-now'].toSorted(),
  );
});
