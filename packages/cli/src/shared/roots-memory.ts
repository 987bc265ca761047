import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ServerConfig } from '@mcpmux/core';

import { writeAtomically } from '../files/atomic-write.js';
import { stateFolder, type StatePlaces } from '../files/state-folder.js';

/** A server with its name. */
interface Named {
  readonly name: string;
  readonly config: ServerConfig;
}

/** The servers of a config that have asked a client for its roots, in this process or in an earlier one. */
export class RootsMemory {
  private readonly keys: Set<string>;

  constructor(private readonly file: string) {
    this.keys = new Set(keysIn(file));
  }

  has(server: Named): boolean {
    return this.keys.has(keyOf(server));
  }

  /** @throws the error of the file system, when the server is known to this process alone */
  add(server: Named): void {
    this.keys.add(keyOf(server));
    writeAtomically(this.file, JSON.stringify([...this.keys]));
  }
}

/** The file for the servers of a config. */
export function rootsFile(config: string, places: StatePlaces): string {
  return join(stateFolder(places), 'roots', `${sha256(config).slice(0, 16)}.json`);
}

function keysIn(file: string): readonly string[] {
  try {
    const keys: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    // The file does not exist, or holds something else.
    return [];
  }
}

/** Arguments are left out: they may differ by folder. The hash hides what a url may hold. */
function keyOf({ name, config }: Named): string {
  return sha256(JSON.stringify([name, config.command ?? config.url])).slice(0, 20);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
