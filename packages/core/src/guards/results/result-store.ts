import { randomUUID } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** One text of a result: the text of a block, or the structured content as JSON. */
export type StoredPart = Buffer;

/** A result that was too large for its client. */
export interface StoredResult {
  /** Only this principal can read it. */
  readonly principal: string;
  readonly parts: readonly StoredPart[];
}

/** Writes copies of stored results to files, for agents that can read files. */
export interface ResultFiles {
  /**
   * Writes the text blocks of a result. Never rejects.
   *
   * @returns the path of each text, in order; empty if the texts cannot be written
   */
  save(handle: string, parts: readonly StoredPart[]): Promise<readonly string[]>;
  /** Deletes the files of a result. Never throws. */
  remove(handle: string): void;
}

/** Stores results too large for their clients, up to a total size. The least recently read result is evicted first. */
export class ResultStore {
  private readonly results: LRUCache<string, StoredResult>;

  /** @param onEvicted gets the handle of each result that is no longer stored */
  constructor(
    readonly maxBytes: number,
    onEvicted: (handle: string) => void = () => undefined,
  ) {
    this.results = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (result) => Math.max(1, sizeOf(result)),
      dispose: (_, handle) => onEvicted(handle),
    });
  }

  /** Stores a result and returns its handle; undefined for a result larger than the whole store's limit. */
  add(result: StoredResult): string | undefined {
    if (sizeOf(result) > this.maxBytes) return undefined;
    const handle = randomUUID();
    this.results.set(handle, result);
    return handle;
  }

  /** Returns the result with this handle, if it is still stored and the principal may read it. */
  get(handle: string, principal: string): StoredResult | undefined {
    const result = this.results.get(handle);
    return result?.principal === principal ? result : undefined;
  }

  get totalBytes(): number {
    return this.results.calculatedSize;
  }
}

function sizeOf({ parts }: StoredResult): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
