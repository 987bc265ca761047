/**
 * Returns a copy of `bytes` within a larger buffer, at `offset`. The rest of the buffer is filled with `around`, which
 * the code under test must not read.
 */
export function sliceAmid(bytes: Buffer, offset: number, around = '"'): Buffer {
  const memory = Buffer.from(new ArrayBuffer(offset + bytes.length + 16)).fill(around);
  bytes.copy(memory, offset);
  return memory.subarray(offset, offset + bytes.length);
}
