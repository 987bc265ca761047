const FILLER = '#';

/**
 * Yields `bytes` in chunks of the given sizes, which repeat until no bytes remain. All chunks use the same memory, as
 * with a pipe, so a chunk becomes invalid when the next one is requested.
 */
export function* chunkedBytes(bytes: Buffer, sizes: readonly number[]): Generator<Buffer, void> {
  const memory = Buffer.alloc(Math.min(bytes.length, Math.max(1, ...sizes)));
  let count = 0;
  for (let at = 0; at < bytes.length; count += 1) {
    const size = Math.max(1, sizes[count % sizes.length] ?? bytes.length);
    const length = bytes.copy(memory, 0, at, at + size);
    yield memory.subarray(0, length);
    memory.fill(FILLER);
    at += length;
  }
}
