import { hash } from 'node:crypto';
import { join } from 'node:path';

import { parsedJson, type ServerConfig } from '@mcpmux/core';

import { fileText } from '../base/file-text.js';
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

  /**
   * Remembers a server.
   *
   * @throws the error of the file system, in which case only this process knows the server
   */
  add(server: Named): void {
    this.keys.add(keyOf(server));
    writeAtomically(this.file, JSON.stringify([...this.keys]));
  }
}

/** Returns the file for a config's servers. */
export function rootsFile(config: string, places: StatePlaces): string {
  return join(stateFolder(places), 'roots', `${hash('sha256', config).slice(0, 16)}.json`);
}

function keysIn(file: string): readonly string[] {
  const keys = parsedJson(fileText(file) ?? '');
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/**
 * Returns the key of a server. Arguments are left out, because they may differ by folder. The hash hides secrets in a
 * URL.
 */
function keyOf({ name, config }: Named): string {
  return hash('sha256', JSON.stringify([name, config.command ?? config.url])).slice(0, 20);
}
