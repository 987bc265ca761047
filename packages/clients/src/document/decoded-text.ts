const BIG_ENDIAN_MARK = 0xfe_ff;
const LITTLE_ENDIAN_MARK = 0xff_fe;

/**
 * Decodes a file in UTF-8 or UTF-16. Recognizes UTF-16, which Windows PowerShell writes, by a byte order mark or a zero
 * among the first two bytes.
 */
export function decodedText(bytes: Buffer): string {
  if (bytes.length < 2) return bytes.toString();
  const mark = bytes.readUInt16BE();
  if (mark === BIG_ENDIAN_MARK || bytes[0] === 0) return decodeBigEndian(bytes);
  if (mark === LITTLE_ENDIAN_MARK || bytes[1] === 0) return bytes.toString('utf16le');
  return bytes.toString();
}

function decodeBigEndian(bytes: Buffer): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return Buffer.from(whole).swap16().toString('utf16le');
}
