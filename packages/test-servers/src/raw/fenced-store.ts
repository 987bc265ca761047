import { openSync, readFileSync, readSync, writeSync } from 'node:fs';
import process from 'node:process';

const CHUNK_BYTES = 65_536;

/** A writer to a {@link FencedStore}. */
interface StoreWriter {
  readonly name: string;
  readonly epoch: number;
  readonly node: string;
}

/**
 * A file of lines `SERVER EPOCH PID WHAT TIME NODE`. A line counts as refused if an earlier line of its server has a
 * higher epoch. Every reader of the file reaches the same verdict as the process that wrote the line.
 */
export class FencedStore {
  /** Other processes of this server that have written lines. */
  readonly otherPids = new Set<number>();
  private readonly file: number;
  private readOffset = 0;
  private highestEpoch = 0;

  constructor(
    private readonly path: string,
    private readonly writer: StoreWriter,
  ) {
    this.file = openSync(path, 'a+');
  }

  /** Writes a line. Returns false if the store rejects the line. */
  write(what: string): boolean {
    const { name, epoch, node } = this.writer;
    // A short append to a file is atomic, and all processes see the appends in the same order. There is no lock,
    // because it would outlive a killed process.
    writeSync(this.file, `${name} ${epoch} ${process.pid} ${what} ${Date.now()} ${node}\n`);
    let isInOrder = true;
    for (const line of this.readNewLines()) {
      const [server, written, pid] = line.split(' ');
      if (server !== name) continue;
      if (Number(pid) === process.pid) isInOrder = epoch >= this.highestEpoch;
      else this.otherPids.add(Number(pid));
      this.highestEpoch = Math.max(this.highestEpoch, Number(written));
    }
    return isInOrder;
  }

  /** True if the process is alive and is a run of this server: its id may have been reused. Works only on Linux. */
  isAlive(pid: number): boolean {
    try {
      const commandWords = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return commandWords.includes(this.path) && commandWords.includes(this.writer.name);
    } catch {
      return false;
    }
  }

  /** Returns the lines added since the last call. */
  private readNewLines(): readonly string[] {
    const chunks: Buffer[] = [];
    for (let length = -1, at = this.readOffset; length !== 0; at += length) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      length = readSync(this.file, chunk, 0, chunk.length, at);
      chunks.push(chunk.subarray(0, length));
    }
    const bytes = Buffer.concat(chunks);
    const completeLines = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    this.readOffset += completeLines.length;
    return completeLines.toString().split('\n').slice(0, -1);
  }
}
