/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of a PNG, GIF, JPEG or WebP picture from its beginning, before a browser decodes the picture, because
 * a few bytes can decode to gigabytes. Returns undefined for anything else.
 */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = String.fromCharCode(...bytes.subarray(0, 16));
  try {
    if (text.startsWith('\x89PNG\r\n\x1A\n'))
      return { width: view.getUint32(16), height: view.getUint32(20) };
    if (text.startsWith('GIF8')) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (text.startsWith('\xFF\xD8\xFF')) return jpegSize(view);
    return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP'
      ? webpSize(view, text.slice(12))
      : undefined;
  } catch {
    // The data ends before the size of the picture.
    return undefined;
  }
}

/** Returns the size from the first segment that begins a frame (SOF). */
function jpegSize(view: DataView): PictureSize | undefined {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}

function webpSize(view: DataView, chunk: string): PictureSize | undefined {
  if (chunk === 'VP8X') return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (chunk === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== 'VP8L') return undefined;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
}
