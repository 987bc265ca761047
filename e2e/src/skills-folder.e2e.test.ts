import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { CLI, cleanEnvironment, NODE } from './testing/built-cli.js';
import { RawCli } from './testing/raw-cli.js';

const WAIT = { timeout: 10_000 };
const URI = 'skill://refunds/SKILL.md';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-skills-')));
  file = join(folder, 'mcpmux.json');
  await writeFile(file, '{}');
  await writeSkill('Processes a refund');
  await writeFile(join(folder, 'team', 'refunds', 'mail.md'), 'Dear customer\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writeSkill(description: string): Promise<void> {
  await mkdir(join(folder, 'team', 'refunds'), { recursive: true });
  const text = `---\nname: refunds\ndescription: ${description}\n---\n\nUse mail.md.\n`;
  await writeFile(join(folder, 'team', 'refunds', 'SKILL.md'), text);
}

function environment(): Readonly<Record<string, string>> {
  return { XDG_STATE_HOME: folder, MCPMUX_RUNTIME_DIR: join(folder, 'run') };
}

function command(...args: readonly string[]) {
  const options = { env: cleanEnvironment(environment()), cwd: folder };
  return promisify(execFile)(NODE, [CLI, ...args, '--config', file], options);
}

interface Skill {
  readonly uri: string;
  readonly _meta: object;
  readonly frontmatter: { readonly description: string };
  readonly resources: readonly { readonly uri: string; readonly digest: string }[];
}

async function skillsOf(mcpmux: RawCli): Promise<readonly Skill[]> {
  return ((await mcpmux.request('skills/list')).result?.['skills'] ?? []) as readonly Skill[];
}

it('mcpmux add skills:FOLDER serves the skills of a folder, and those that change', async () => {
  await command('add', 'skills:./team');
  await using mcpmux = new RawCli({
    args: ['--config', file, '--wait-for-servers'],
    cwd: folder,
    env: environment(),
  });
  await mcpmux.initialize();
  await mcpmux.request('tools/list');
  await vi.waitUntil(async () => (await skillsOf(mcpmux)).length === 1, WAIT);
  const [skill] = await skillsOf(mcpmux);
  expect(skill).toMatchObject({ uri: URI, _meta: { 'dev.mcpmux/server': 'team' } });
  const read = await mcpmux.request('resources/read', { uri: URI });
  const { contents = [] } = (read.result ?? {}) as {
    readonly contents?: readonly { readonly text: string }[];
  };
  const { text } = contents[0] ?? { text: '' };
  expect(text).toBe(await readFile(join(folder, 'team', 'refunds', 'SKILL.md'), 'utf8'));
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  expect(skill?.resources).toContainEqual(expect.objectContaining({ uri: URI, digest }));
  const directory = await mcpmux.request('resources/directory/read', { uri: 'skill://refunds' });
  expect(JSON.stringify(directory.result)).toContain('skill://refunds/mail.md');
  await writeSkill('Refunds within a day');
  const isChanged = async () =>
    (await skillsOf(mcpmux))[0]?.frontmatter.description === 'Refunds within a day';
  await vi.waitUntil(isChanged, WAIT);
});

it('a folder that does not exist is no server', async () => {
  await expect(command('add', 'skills:./none')).rejects.toThrow('is no folder');
  expect(await readFile(file, 'utf8')).toBe('{}');
});
