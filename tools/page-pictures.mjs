#!/usr/bin/env node
// Writes docs/images/page: views of the page with real servers behind, from the browser tests. Build the cli first. The
// pictures have times and process ids in them, so no check compares them: look at each one before it is committed.
//
// usage: node tools/page-pictures.mjs
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The pictures of the documentation, by the names of the tests' screenshots. */
const PICTURES = { servers: 'Servers-light-1280' };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const images = join(root, 'docs', 'images', 'page');
const folder = mkdtempSync(join(tmpdir(), 'mcpmux-page-pictures-'));
const env = { ...process.env, PAGE_SCREENSHOTS: folder };
const { status } = spawnSync('npx', ['vitest', 'run', 'src/page'], {
  cwd: join(root, 'e2e'),
  env,
  stdio: 'inherit',
});
if (status === 0) {
  mkdirSync(images, { recursive: true });
  for (const [name, shot] of Object.entries(PICTURES))
    copyFileSync(join(folder, `${shot}.png`), join(images, `${name}.png`));
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
