import { createHash } from 'node:crypto';

import { LIST_KINDS, type RememberedLists } from '@mcpmux/core';
import { isRecord, type Kit, messageOf, type Timer } from '@mcpmux/kit';

import { ClusterError, type Bucket } from './cluster.js';
import { keyOf, stringsOf } from './records.js';

/** The dependencies of {@link Catalogs}. */
export interface CatalogsParts extends Pick<Kit, 'clock' | 'logger'> {
  /** Opens the catalog bucket. @throws ClusterError UNAVAILABLE */
  readonly openBucket: () => Promise<Bucket>;
  /** Returns the specs of the servers that this node runs, by name. */
  readonly ownSpecs: () => ReadonlyMap<string, unknown>;
  /** Returns the current lists of a server, or undefined if the server is not running. */
  readonly currentLists: (server: string) => RememberedLists | undefined;
}

/** The name of the catalog bucket. */
export const CATALOG_BUCKET = 'catalogs';
/** How long to wait before changed lists are written, so that several changes cause a single write. */
const WRITE_DELAY_MS = 2000;
/** The delay before a failed write of lists is retried. */
const RETRY_DELAY_MS = 10_000;
/** The maximum size of a record, in bytes, well below NATS's default limit of 1 MB per message. */
const MAX_RECORD_BYTES = 512 * 1024;

/**
 * Stores the lists of all servers in the cluster, so that a joining node knows a server's tools before the server runs
 * again. Each node writes the lists of the servers that it runs.
 */
export class Catalogs {
  /** The digests of the records that this node has written, by server. */
  private readonly writtenDigests = new Map<string, string>();
  private timer: Timer | undefined;
  private bucket: Promise<Bucket> | undefined;
  private isClosed = false;

  constructor(private readonly parts: CatalogsParts) {}

  /** Schedules a write. Must be called when lists may have changed. */
  listsChanged(): void {
    this.scheduleWrite(WRITE_DELAY_MS);
  }

  close(): void {
    this.isClosed = true;
    this.timer?.cancel();
    this.timer = undefined;
  }

  /** Resolves with a server's stored lists, or with undefined if they are missing, unreadable or for another spec. */
  async read(server: string, spec: unknown): Promise<RememberedLists | undefined> {
    try {
      const entry = await (await this.openBucket()).get(keyOf(server));
      return entry && decodeLists(entry.value, spec);
    } catch (error) {
      this.logFailure(server, error);
      return undefined;
    }
  }

  /** Deletes the lists of a server that has been removed from the cluster. */
  async deleteLists(server: string): Promise<void> {
    this.writtenDigests.delete(server);
    try {
      const bucket = await this.openBucket();
      const existingEntry = await bucket.get(keyOf(server));
      if (existingEntry !== undefined) await bucket.delete(keyOf(server), existingEntry.revision);
    } catch (error) {
      this.logFailure(server, error);
    }
  }

  private scheduleWrite(ms: number): void {
    if (this.isClosed) return;
    this.timer ??= this.parts.clock.schedule(() => {
      this.timer = undefined;
      void this.writeChangedLists();
    }, ms);
  }

  private async writeChangedLists(): Promise<void> {
    const { ownSpecs, currentLists } = this.parts;
    let isDone = true;
    for (const [server, spec] of ownSpecs()) {
      const lists = currentLists(server);
      if (lists !== undefined && !(await this.writeLists(server, encodeLists(spec, lists)))) isDone = false;
    }
    if (!isDone) this.scheduleWrite(RETRY_DELAY_MS);
  }

  /** Writes a server's lists. Resolves with false if the write failed and a retry may succeed. */
  private async writeLists(server: string, record: Buffer): Promise<boolean> {
    const digest = digestOf(record);
    if (this.writtenDigests.get(server) === digest) return true;
    if (record.length > MAX_RECORD_BYTES) {
      this.logFailure(
        server,
        new Error(`its lists have ${record.length} bytes, and the limit is ${MAX_RECORD_BYTES}`),
      );
      return true;
    }
    try {
      await putRecord(await this.openBucket(), keyOf(server), record);
      this.writtenDigests.set(server, digest);
      return true;
    } catch (error) {
      this.logFailure(server, error);
      return false;
    }
  }

  private openBucket(): Promise<Bucket> {
    this.bucket ??= this.parts.openBucket().catch((error: unknown) => {
      this.bucket = undefined;
      throw error;
    });
    return this.bucket;
  }

  private logFailure(server: string, error: unknown): void {
    const problem = messageOf(error);
    this.parts.logger.log('debug', 'the lists of a server are not in the cluster', { server, problem });
  }
}

/** Writes a value. Ignores a conflict, which means that another node has just written newer lists. */
async function putRecord(bucket: Bucket, key: string, value: Uint8Array): Promise<void> {
  const existing = await bucket.get(key);
  try {
    if (existing === undefined) await bucket.create(key, value);
    else if (!Buffer.from(existing.value).equals(value)) await bucket.update(key, value, existing.revision);
  } catch (error) {
    if (!(error instanceof ClusterError) || error.code !== 'CONFLICT') throw error;
  }
}

function encodeLists(spec: unknown, lists: RememberedLists): Buffer {
  const entries = LIST_KINDS.flatMap((kind) =>
    lists[kind] === undefined ? [] : [[kind, lists[kind]] as const],
  );
  return Buffer.from(JSON.stringify({ spec: specDigest(spec), lists: Object.fromEntries(entries) }));
}

/** Decodes stored lists. Returns undefined for another spec's lists, because they may describe another program. */
function decodeLists(value: Uint8Array, spec: unknown): RememberedLists | undefined {
  const record: unknown = JSON.parse(Buffer.from(value).toString());
  if (!isRecord(record) || record['spec'] !== specDigest(spec) || !isRecord(record['lists']))
    return undefined;
  const { lists } = record;
  const texts = LIST_KINDS.map((kind) => [kind, stringsOf(lists[kind])] as const);
  return Object.fromEntries(texts.filter(([, listed]) => listed.length > 0));
}

function specDigest(spec: unknown): string {
  return digestOf(JSON.stringify(spec) ?? '');
}

function digestOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url');
}
