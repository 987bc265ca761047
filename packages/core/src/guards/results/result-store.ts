import { randomUUID } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** A part of a result, as UTF-8: the text of one block, or the structured content as JSON. */
export type StoredPart = Buffer;

/** A result that was too large for its client. */
export interface StoredResult {
  /** The id of the only principal that may read the result. */
  readonly principal: string;
  readonly parts: readonly StoredPart[];
}

/** Writes copies of stored results to files, for agents that can read files. */
export interface ResultFiles {
  /**
   * Writes each part of a result to a file. Never rejects.
   *
   * @returns the path of each part's file, in order; empty if the files cannot be written
   */
  save(handle: string, parts: readonly StoredPart[]): Promise<readonly string[]>;
  /** Deletes the files of a result. Never throws. */
  remove(handle: string): void;
}

/** Stores results too large for their clients, up to a total size. The least recently read result is evicted first. */
export class ResultStore {
  private readonly results: LRUCache<string, StoredResult>;

  /** @param onEvicted called with the handle of each result that is removed from the store */
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

  /** Stores a result and returns its handle, or undefined if the result alone exceeds `maxBytes`. */
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
