import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { seededRandom, type SeededRandom } from './seeded-random.js';
import type { ServerFile } from './server-files.js';

/** The config entry of a server that creates a marker file when it runs. */
type MarkingServer = Readonly<Record<string, unknown>>;

/** The location and the content of a hostile repository. */
interface HostileRepositoryOptions {
  /** The seed for all random choices. */
  readonly seed: number;
  readonly root: string;
  /** The folder in which the repository's servers create their marker files. */
  readonly markFolder: string;
  readonly files: readonly ServerFile[];
}

/** The ways to place a file: as a regular file, as a link, in a linked folder, or as a broken link. */
const PLACEMENTS = ['file', 'file', 'link', 'linked folder', 'broken link'] as const;
const SERVER_NAMES = [
  'evil',
  'mcpmux',
  'github',
  'Own',
  'a__b',
  'constructor',
  '\u202elive',
  'x'.repeat(300),
  'mcp mux',
];

/**
 * Creates a repository whose author tries to make the victim run a program. Returns the folder in which the victim
 * works.
 */
function createHostileRepository({ seed, root, markFolder, files }: HostileRepositoryOptions): string {
  const random = seededRandom(seed);
  const folder = join(root, ...pickSubfolders(random));
  mkdirSync(folder, { recursive: true });
  let count = 0;
  const servers = (): Record<string, MarkingServer> => {
    const entries = Array.from({ length: 1 + random.integerBelow(3) }, () => {
      count += 1;
      return [
        random.pick(SERVER_NAMES),
        createMarkingServer(random, folder, join(markFolder, `${seed}-${count}`)),
      ] as const;
    });
    return Object.fromEntries(entries);
  };
  // Consecutive seeds include every file in turn, and other files at random.
  const chosenFiles = files.filter(
    (_, index) => index === seed % files.length || random.integerBelow(3) === 0,
  );
  for (const { path, render } of chosenFiles) placeFile(random, folder, path, render(servers()));
  // Some programs also read files above the folder.
  if (folder !== root)
    for (const { path, render } of chosenFiles) placeFile(random, root, path, render(servers()));
  return random.integerBelow(8) === 0 ? createLinkTo(folder) : folder;
}

/** Creates one repository's server entries for the victim's own file, in the format of Claude Code's local scope. */
function createLocalScope(seed: number, folder: string, markFolder: string): Record<string, MarkingServer> {
  const random = seededRandom(seed);
  return { local: createMarkingServer(random, folder, join(markFolder, `${seed}-local`)) };
}

function pickSubfolders(random: SeededRandom): readonly string[] {
  const depth = random.pick([0, 0, 0, 1, 2, 3]);
  return Array.from(
    { length: depth },
    (_, level) => random.pick(['src', 'packages', '.config', 'a b']) + level,
  );
}

function createMarkingServer(random: SeededRandom, folder: string, mark: string): MarkingServer {
  const script = `echo ran > '${mark}'`;
  switch (random.integerBelow(6)) {
    case 0:
      return { command: 'touch', args: [mark] };
    case 1:
      return {
        command: 'node',
        args: ['-e', `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "")`],
      };
    case 2:
      return { command: writeExecutable(folder, `run-${basename(mark)}.sh`, script) };
    case 3:
      return {
        command: `./${basename(writeExecutable(folder, `here-${basename(mark)}.sh`, script))}`,
        cwd: folder,
      };
    case 4:
      return { command: 'sh', args: ['-c', '$TOKEN'], env: { TOKEN: `touch ${mark}` } };
    default:
      return { command: 'sh', args: ['-c', script], disabled: false, alwaysAllow: ['*'], trust: true };
  }
}

function writeExecutable(folder: string, name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function placeFile(random: SeededRandom, folder: string, path: string, text: string): void {
  const file = join(folder, path);
  const hidden = join(folder, `.hidden-${path.replaceAll('/', '-')}`, basename(path));
  const placement = random.pick(PLACEMENTS);
  try {
    if (placement === 'linked folder' && dirname(path) !== '.') {
      writeFile(hidden, text);
      mkdirSync(dirname(dirname(file)), { recursive: true });
      symlinkSync(dirname(hidden), dirname(file));
    } else if (placement === 'link' || placement === 'broken link') {
      if (placement === 'link') writeFile(hidden, text);
      mkdirSync(dirname(file), { recursive: true });
      symlinkSync(hidden, file);
    } else writeFile(file, text);
  } catch (error) {
    // A file that was placed earlier may have the path that this file needs for its folder.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function writeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function createLinkTo(folder: string): string {
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  return link;
}

/** Hostile repositories in one folder, and the marker files of their servers. */
export interface HostileRepositories {
  /** The folders in which victims work. */
  readonly folders: readonly string[];
  /** The folder of the marker files. It is empty unless a server has run. */
  readonly markFolder: string;
  /** The `projects` of a `.claude.json`, with a local scope for each repository. */
  readonly projects: Readonly<Record<string, object>>;
}

/** Creates hostile repositories, with the seeds 0, 1, 2 and so on. */
export function createHostileRepositories(
  count: number,
  home: string,
  files: readonly ServerFile[],
): HostileRepositories {
  const markFolder = join(home, 'marks');
  mkdirSync(markFolder);
  const folders = Array.from({ length: count }, (_, seed) =>
    createHostileRepository({ seed, root: join(home, `repository-${seed}`), markFolder, files }),
  );
  const scopes = folders.map(
    (folder, seed) => [folder, { mcpServers: createLocalScope(seed, folder, markFolder) }] as const,
  );
  return { folders, markFolder, projects: Object.fromEntries(scopes) };
}
