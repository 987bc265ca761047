const GARBAGE = '#';

/**
 * `bytes` in chunks of the given sizes, over and over until nothing is left. Each comes in the same memory, as from a
 * pipe, so it is gone when the next is asked for.
 */
export function* chunked(bytes: Buffer, sizes: readonly number[]): Generator<Buffer, void> {
  const memory = Buffer.alloc(Math.min(bytes.length, Math.max(1, ...sizes)));
  let count = 0;
  for (let at = 0; at < bytes.length; count += 1) {
    const size = Math.max(1, sizes[count % sizes.length] ?? bytes.length);
    const length = bytes.copy(memory, 0, at, at + size);
    yield memory.subarray(0, length);
    memory.fill(GARBAGE);
    at += length;
  }
}
