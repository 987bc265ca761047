/** `bytes` in chunks of the given sizes, over and over until nothing is left. Each chunk is memory of its own. */
export function chunked(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = Math.max(1, sizes[chunks.length % sizes.length] ?? bytes.length);
    chunks.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  return chunks;
}
