import { openSync, readFileSync, readSync, writeSync } from 'node:fs';
import process from 'node:process';

const CHUNK_BYTES = 65_536;

/** A writer into a {@link FencedStore}. */
interface Writer {
  readonly name: string;
  readonly epoch: number;
  readonly node: string;
}

/**
 * A file of lines `SERVER EPOCH PID WHAT TIME NODE`. A line whose epoch is lower than that of a line of its server
 * before is treated as refused: a reader of the file finds the same as the process that wrote the line.
 */
export class FencedStore {
  /** The other processes of this server that have written. */
  readonly others = new Set<number>();
  private readonly file: number;
  private read = 0;
  private highest = 0;

  constructor(
    private readonly path: string,
    private readonly writer: Writer,
  ) {
    this.file = openSync(path, 'a+');
  }

  /** Writes a line. Returns false when the store refuses it. */
  write(what: string): boolean {
    const { name, epoch, node } = this.writer;
    // A short write at the end of a file is whole and has its place among those of other processes. A lock would outlive
    // a process that is killed.
    writeSync(this.file, `${name} ${epoch} ${process.pid} ${what} ${Date.now()} ${node}\n`);
    let isInOrder = true;
    for (const line of this.newLines()) {
      const [server, written, pid] = line.split(' ');
      if (server !== name) continue;
      if (Number(pid) === process.pid) isInOrder = epoch >= this.highest;
      else this.others.add(Number(pid));
      this.highest = Math.max(this.highest, Number(written));
    }
    return isInOrder;
  }

  /** True if the process still is a run of this server: its number may belong to another process by now. On Linux only. */
  isAlive(pid: number): boolean {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return words.includes(this.path) && words.includes(this.writer.name);
    } catch {
      return false;
    }
  }

  /** The lines since the last one that was read. */
  private newLines(): readonly string[] {
    const parts: Buffer[] = [];
    for (let length = -1, at = this.read; length !== 0; at += length) {
      const part = Buffer.alloc(CHUNK_BYTES);
      length = readSync(this.file, part, 0, part.length, at);
      parts.push(part.subarray(0, length));
    }
    const bytes = Buffer.concat(parts);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    this.read += whole.length;
    return whole.toString().split('\n').slice(0, -1);
  }
}
