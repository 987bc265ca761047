import { VALUE_END_WASM } from './value-end.wasm.js';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** What `wasm/value-end.ts` exports. What changes is asked for by functions: a global takes several times as long to be read. */
export interface ValueEndExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly INPUT: WasmGlobal;
  readonly ROOM: WasmGlobal;
  readonly ROOM_BYTES: WasmGlobal;
  readonly LINE_ROOM: WasmGlobal;
  readonly LINE_ROOM_BYTES: WasmGlobal;
  /** How many rows of the last value were only compared with others: tests ask which way was taken. */
  readonly rowsRead: WasmGlobal;
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

/** The part of `WebAssembly` that is used here: the types of Node.js do not have it. */
interface Wasm {
  readonly Module: new (code: Buffer) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** Most of a text that is copied at once: large enough to cost nothing, small enough to stay in the processor's cache. */
export const PIECE_BYTES = 64 * 1024;
/** The first piece is small: a value that is short should not cost a copy of what stands behind it. */
export const FIRST_PIECE_BYTES = 1024;

/** What `readCompact` returns for a value that it does not take. */
const GAVE_UP = -1;

/** No end was found. */
export const NO_END = -1;

/**
 * Finds the ends of JSON values, and checks their grammar, many times faster than a loop in JavaScript; from a few
 * hundred bytes on that is worth the copy into the memory of WebAssembly. What stands in its rooms needs none.
 *
 * It says yes or nothing: why a value is none, only the {@link JsonReader} knows.
 */
export class ValueEndFinder {
  /** How many values the last one consisted of, itself included. */
  values = 0;
  /** Texts that stand here are not copied. Mostly a newline stands behind each of them, but nobody relies on that. */
  readonly room: Buffer;
  /** The same, and a part of the same memory, for what comes in parts. */
  readonly lineRoom: Buffer;
  private readonly memory: Buffer;
  private readonly input: number;
  private readonly done: number;
  private readonly refused: number;
  private readonly block: number;
  private readonly compactPiece: number;

  constructor(private readonly wasm: ValueEndExports) {
    const { buffer } = wasm.memory;
    this.memory = Buffer.from(buffer);
    this.room = Buffer.from(buffer, wasm.ROOM.value, wasm.ROOM_BYTES.value);
    this.lineRoom = Buffer.from(buffer, wasm.LINE_ROOM.value, wasm.LINE_ROOM_BYTES.value);
    this.input = wasm.INPUT.value;
    this.done = wasm.DONE.value;
    this.refused = wasm.REFUSED.value;
    this.block = wasm.BLOCK.value;
    this.compactPiece = wasm.COMPACT_PIECE.value;
  }

  /**
   * The offset after the value that begins at `start`; {@link NO_END} when it is none, when it holds more than `levels`
   * levels of brackets, and when `bytes` end before it does.
   */
  endOf(bytes: Buffer, start: number, levels: number): number {
    const first = bytes[start];
    const isOpen = first === OPEN_BRACE || first === OPEN_BRACKET;
    const inRoom = this.isInRoom(bytes);
    const compactEnd = isOpen ? this.endOfCompact(bytes, start, levels, inRoom) : NO_END;
    const end = compactEnd === NO_END ? this.endOfAny(bytes, start, levels, inRoom) : compactEnd;
    // In the room, what stands behind the text may have been taken for its end.
    return end > bytes.length ? NO_END : end;
  }

  /** The same for objects and arrays without white space, twice as fast; {@link NO_END} may mean that it has some. */
  private endOfCompact(bytes: Buffer, start: number, levels: number, inRoom: boolean): number {
    const { wasm } = this;
    wasm.beginCompact(levels);
    let at = start;
    let size = FIRST_PIECE_BYTES;
    for (;;) {
      const length = Math.min(size, bytes.length - at);
      const isLast = at + length === bytes.length;
      const before = Math.max(start, at - this.block);
      const from = inRoom ? bytes.byteOffset + at : this.copied(bytes, at, length, before);
      const read = wasm.readCompact(from, length, isLast);
      if (wasm.isCompactDone() === 1) {
        this.values = wasm.compactValues();
        return at + read;
      }
      if (isLast || read === GAVE_UP) return NO_END;
      at += read;
      if (at >= bytes.length) return NO_END;
      size = this.compactPiece;
    }
  }

  private endOfAny(bytes: Buffer, start: number, levels: number, inRoom: boolean): number {
    const { wasm } = this;
    wasm.begin(levels);
    let at = start;
    let size = inRoom ? bytes.length : FIRST_PIECE_BYTES;
    for (;;) {
      const length = Math.min(size, bytes.length - at);
      const from = inRoom ? bytes.byteOffset + at : this.copied(bytes, at, length);
      const read = wasm.read(from, length);
      const state = wasm.stateOfValue();
      this.values = wasm.valuesRead();
      if (state === this.done) return at + read;
      // A piece of full size without a step forward is one number of 64 KiB.
      const isStuck = read === 0 && size === PIECE_BYTES;
      if (state === this.refused || isStuck || at + length >= bytes.length) return NO_END;
      at += read;
      size = PIECE_BYTES;
    }
  }

  /** Whether they stand in memory where they can be read: asked once for each value, as Node.js takes long to say it. */
  private isInRoom(bytes: Buffer): boolean {
    return bytes.buffer === this.memory.buffer;
  }

  /** Where `length` bytes at `at` have been copied to, with those from `before` on before them. */
  private copied(bytes: Buffer, at: number, length: number, before = at): number {
    bytes.copy(this.memory, this.input + before - at, before, at + length);
    this.wasm.seal(this.input + length);
    return this.input;
  }
}

let compiled: { readonly finder: ValueEndFinder | undefined } | undefined;

/**
 * The finder of this thread, compiled when it is first asked for; `undefined` where WebAssembly is switched off
 * (`node --jitless`) or gets no memory. One serves all: it keeps nothing between two values.
 */
export function valueEndFinder(): ValueEndFinder | undefined {
  // Also that there is none is found out once: this is asked for every long line.
  compiled ??= { finder: compile() };
  return compiled.finder;
}

function compile(): ValueEndFinder | undefined {
  try {
    return new ValueEndFinder(compileValueEnd());
  } catch {
    return undefined;
  }
}

/**
 * The compiled code with memory of its own.
 *
 * @throws Error where WebAssembly is switched off or gets no memory
 */
export function compileValueEnd(): ValueEndExports {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const { exports } = new Instance(new Module(Buffer.from(VALUE_END_WASM, 'base64')));
  return exports as ValueEndExports;
}
