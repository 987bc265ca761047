/**
 * A copy of `bytes` that begins `offset` bytes into a larger piece of memory. All around it stands `around`, which a
 * reader must not look at.
 */
export function sliceAmid(bytes: Buffer, offset: number, around = '"'): Buffer {
  const memory = Buffer.from(new ArrayBuffer(offset + bytes.length + 16)).fill(around);
  bytes.copy(memory, offset);
  return memory.subarray(offset, offset + bytes.length);
}
