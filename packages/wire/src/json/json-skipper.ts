import { JSON_SKIPPER_WASM } from './json-skipper.wasm.js';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * The exports of `wasm/json-skipper.ts`. Functions return the state, because reading globals is several times slower.
 */
interface JsonSkipperExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly INPUT: WasmGlobal;
  readonly READ_BUFFER: WasmGlobal;
  readonly READ_BUFFER_BYTES: WasmGlobal;
  readonly LINE_SLOTS: WasmGlobal;
  readonly LINE_SLOTS_BYTES: WasmGlobal;
  seal(end: number): void;
  stateOfValue(): number;
  valuesRead(): number;
  readonly DONE: WasmGlobal;
  readonly REFUSED: WasmGlobal;
  begin(levels: number): void;
  read(from: number, length: number): number;
  readonly BLOCK: WasmGlobal;
  readonly COMPACT_PIECE: WasmGlobal;
  isCompactDone(): number;
  compactValues(): number;
  beginCompact(levels: number): void;
  readCompact(from: number, length: number, isLast: boolean): number;
}

interface WasmGlobal {
  readonly value: number;
}

/** The parts of the `WebAssembly` API used here. The Node.js types do not declare it. */
interface Wasm {
  readonly Module: new (code: Buffer) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** The maximum number of bytes copied at once. It fits into the processor's cache, with negligible overhead. */
export const MAX_PIECE_BYTES = 64 * 1024;
/** The number of bytes in the first piece. It is small, so that skipping a short value copies little text after it. */
export const FIRST_PIECE_BYTES = 1024;

/** Returned by `readCompact` for a value that it does not support. */
const UNSUPPORTED = -1;

/** Returned by {@link JsonSkipper.skipValue} if it found no end. */
export const NO_END = -1;

/**
 * Finds the ends of JSON values and validates them, many times faster than a loop in JavaScript. From a few hundred
 * bytes, the speed outweighs the cost of copying the text into WebAssembly memory. Text that is already in that memory
 * is not copied.
 *
 * An invalid value is reported without a reason. {@link JsonReader} finds the exact error.
 */
export class JsonSkipper {
  /** The number of values in the last skipped value, counting the value itself and all nested values. */
  valueCount = 0;
  /** The memory into which pipes are read. Text in this memory is not copied. */
  readonly readBuffer: Buffer;
  /** Memory for lines that arrive in several reads. Text in this memory is not copied. */
  readonly lineSlots: Buffer;
  private readonly memory: Buffer;
  private readonly inputOffset: number;
  private readonly doneState: number;
  private readonly refusedState: number;
  private readonly blockBytes: number;
  private readonly compactPieceBytes: number;

  constructor(private readonly wasm: JsonSkipperExports) {
    const { buffer } = wasm.memory;
    this.memory = Buffer.from(buffer);
    this.readBuffer = Buffer.from(buffer, wasm.READ_BUFFER.value, wasm.READ_BUFFER_BYTES.value);
    this.lineSlots = Buffer.from(buffer, wasm.LINE_SLOTS.value, wasm.LINE_SLOTS_BYTES.value);
    this.inputOffset = wasm.INPUT.value;
    this.doneState = wasm.DONE.value;
    this.refusedState = wasm.REFUSED.value;
    this.blockBytes = wasm.BLOCK.value;
    this.compactPieceBytes = wasm.COMPACT_PIECE.value;
  }

  /**
   * Returns the offset after the value that begins at `start`. Returns {@link NO_END} if the value is invalid, has more
   * than `levels` levels of brackets, or extends past the end of `bytes`.
   */
  skipValue(bytes: Buffer, start: number, levels: number): number {
    const firstByte = bytes[start];
    const isContainer = firstByte === OPEN_BRACE || firstByte === OPEN_BRACKET;
    // Each value compares the buffers only once, because reading `bytes.buffer` is slow in Node.js.
    const isInMemory = bytes.buffer === this.memory.buffer;
    const compactEnd = isContainer ? this.skipCompact(bytes, start, levels, isInMemory) : NO_END;
    const end = compactEnd === NO_END ? this.skipAny(bytes, start, levels, isInMemory) : compactEnd;
    // In text that is not copied, the value may appear to end in later bytes that do not belong to `bytes`.
    return end > bytes.length ? NO_END : end;
  }

  /**
   * Skips a value without white space, in half the time. {@link NO_END} may mean that the value contains white space.
   */
  private skipCompact(bytes: Buffer, start: number, levels: number, isInMemory: boolean): number {
    const { wasm } = this;
    wasm.beginCompact(levels);
    let at = start;
    let size = FIRST_PIECE_BYTES;
    for (;;) {
      const length = Math.min(size, bytes.length - at);
      const isLast = at + length === bytes.length;
      const copyStart = Math.max(start, at - this.blockBytes);
      const wasmOffset = isInMemory ? bytes.byteOffset + at : this.copyPiece(bytes, at, length, copyStart);
      const readLength = wasm.readCompact(wasmOffset, length, isLast);
      if (wasm.isCompactDone() === 1) {
        this.valueCount = wasm.compactValues();
        return at + readLength;
      }
      if (isLast || readLength === UNSUPPORTED) return NO_END;
      at += readLength;
      if (at >= bytes.length) return NO_END;
      size = this.compactPieceBytes;
    }
  }

  private skipAny(bytes: Buffer, start: number, levels: number, isInMemory: boolean): number {
    const { wasm } = this;
    wasm.begin(levels);
    let at = start;
    let size = isInMemory ? bytes.length : FIRST_PIECE_BYTES;
    for (;;) {
      const length = Math.min(size, bytes.length - at);
      const wasmOffset = isInMemory ? bytes.byteOffset + at : this.copyPiece(bytes, at, length);
      const readLength = wasm.read(wasmOffset, length);
      const state = wasm.stateOfValue();
      this.valueCount = wasm.valuesRead();
      if (state === this.doneState) return at + readLength;
      // If a full-size piece makes no progress, the whole piece lies inside a single number.
      const isStuck = readLength === 0 && size === MAX_PIECE_BYTES;
      if (state === this.refusedState || isStuck || at + length >= bytes.length) return NO_END;
      at += readLength;
      size = MAX_PIECE_BYTES;
    }
  }

  /** Copies the bytes from `copyStart` to `at + length`. Returns the new position of the byte at `at`. */
  private copyPiece(bytes: Buffer, at: number, length: number, copyStart = at): number {
    bytes.copy(this.memory, this.inputOffset + copyStart - at, copyStart, at + length);
    this.wasm.seal(this.inputOffset + length);
    return this.inputOffset;
  }
}

let skipperCache: { readonly skipper: JsonSkipper | undefined } | undefined;

/**
 * Returns this thread's skipper, which is compiled on first use. Returns `undefined` if WebAssembly is disabled (`node
 * --jitless`) or cannot allocate memory. One skipper is enough, because it keeps no state between values.
 */
export function jsonSkipper(): JsonSkipper | undefined {
  // A failure is cached too, because every long line calls this function.
  skipperCache ??= { skipper: compileSkipper() };
  return skipperCache.skipper;
}

function compileSkipper(): JsonSkipper | undefined {
  try {
    const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
    const { exports } = new Instance(new Module(Buffer.from(JSON_SKIPPER_WASM, 'base64')));
    return new JsonSkipper(exports as JsonSkipperExports);
  } catch {
    return undefined;
  }
}
