import { hash } from 'node:crypto';
import { join } from 'node:path';

import { parsedJson, type ServerConfig } from '@mcpmux/core';

import { readFileText } from '../base/file-text.js';
import { writeAtomically } from '../files/atomic-write.js';
import { stateFolder, type StateContext } from '../files/state-folder.js';

interface NamedServer {
  readonly name: string;
  readonly config: ServerConfig;
}

/** Remembers which servers of a config have requested a client's roots, in this process or an earlier one. */
export class RootsMemory {
  private readonly keys: Set<string>;

  constructor(private readonly file: string) {
    this.keys = new Set(readKeys(file));
  }

  has(server: NamedServer): boolean {
    return this.keys.has(keyOf(server));
  }

  /**
   * Adds a server, and saves it for later processes.
   *
   * @throws a file system error. This process still remembers the server
   */
  add(server: NamedServer): void {
    this.keys.add(keyOf(server));
    writeAtomically(this.file, JSON.stringify([...this.keys]));
  }
}

/** Returns the path of the file that stores which servers of a config have requested roots. */
export function rootsMemoryFile(config: string, places: StateContext): string {
  return join(stateFolder(places), 'roots', `${hash('sha256', config).slice(0, 16)}.json`);
}

function readKeys(file: string): readonly string[] {
  const keys = parsedJson(readFileText(file) ?? '');
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** Returns a server's key, hashed because a URL may contain secrets. Excludes arguments, which may differ by folder. */
function keyOf({ name, config }: NamedServer): string {
  return hash('sha256', JSON.stringify([name, config.command ?? config.url])).slice(0, 20);
}
