import { VALUE_END_WASM } from '../wire/value-end.wasm.js';

/** The part of `WebAssembly` and of `wasm/value-end.ts` that is used here. */
interface Wasm {
  readonly Module: new (code: Buffer) => object;
  readonly Instance: new (module: object) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly LINE_ROOM: { readonly value: number };
      readonly rows: { readonly value: number };
      isCompactDone(): number;
      beginCompact(levels: number): void;
      readCompact(from: number, length: number, isLast: boolean): number;
    };
  };
}

const LEVELS = 200;

/** What the fast way of the compiled code makes of a text, without the other way behind it. */
export interface CompactReading {
  /** So many bytes were understood; -1 when the text was not taken. */
  readonly read: number;
  readonly isDone: boolean;
  /** So many objects had the shape that was learned last. */
  readonly rows: number;
}

/** Reads the first `length` bytes of the text as the last piece of a value. */
export function readCompact(text: string, length = Buffer.byteLength(text)): CompactReading {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const { exports } = new Instance(new Module(Buffer.from(VALUE_END_WASM, 'base64')));
  const start = exports.LINE_ROOM.value;
  Buffer.from(exports.memory.buffer, start).write(text);
  exports.beginCompact(LEVELS);
  const read = exports.readCompact(start, length, true);
  return { read, isDone: exports.isCompactDone() === 1, rows: exports.rows.value };
}
