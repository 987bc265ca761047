import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { parseJsonObject } from '../base/json-object.js';
import { writeAtomically } from '../files/atomic-write.js';
import { stateFolder, type StateContext } from '../files/state-folder.js';

/** The maximum number of stored responses. Beyond it, the oldest responses are evicted. */
const MAX_FILES = 200;

/** A registry's response in the cache. */
export interface StoredResponse {
  /** When the response was stored, in milliseconds since 1970. */
  readonly time: number;
  readonly body: unknown;
}

function readStoredResponse(file: string): (StoredResponse & { readonly url: string }) | undefined {
  try {
    const { url, body } = parseJsonObject(readFileSync(file, 'utf8')) ?? {};
    return typeof url === 'string' ? { time: statSync(file).mtimeMs, url, body } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores registry responses by URL in the user's state folder. */
export class RegistryCache {
  private readonly folder: string;

  constructor(places: StateContext) {
    this.folder = join(stateFolder(places), 'registry');
  }

  read(url: string): StoredResponse | undefined {
    return readStoredResponse(this.fileOf(url));
  }

  /** Returns all stored responses of one registry. */
  readAll(base: string): readonly StoredResponse[] {
    return this.files().flatMap((file) => {
      const answer = readStoredResponse(file);
      return answer?.url.startsWith(`${base}/`) === true ? [answer] : [];
    });
  }

  /** Stores a response. Ignores errors, because the registry can be searched without stored responses. */
  write(url: string, body: unknown): void {
    try {
      writeAtomically(this.fileOf(url), JSON.stringify({ url, body }));
      this.evictOldest();
    } catch {
      // The state folder may be read-only.
    }
  }

  private fileOf(url: string): string {
    return join(this.folder, `${hash('sha256', url).slice(0, 32)}.json`);
  }

  private files(): readonly string[] {
    try {
      return readdirSync(this.folder).map((name) => join(this.folder, name));
    } catch {
      return [];
    }
  }

  private evictOldest(): void {
    const files = this.files();
    if (files.length <= MAX_FILES) return;
    const filesByAge = files.map((file) => ({ file, time: statSync(file).mtimeMs }));
    filesByAge.sort((a, b) => b.time - a.time);
    for (const { file } of filesByAge.slice(MAX_FILES)) rmSync(file, { force: true });
  }
}
