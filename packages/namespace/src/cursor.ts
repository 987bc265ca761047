/** The position after one entry of a list, where the next page begins. */
export interface ListPosition {
  /** The list to which the cursor belongs, such as `tools`. */
  readonly list: string;
  /** The index of the entry's server in registration order. */
  readonly place: number;
  /** The entry's local name: a tool's name or a resource's URI. */
  readonly key: string;
  /**
   * The number of entries of the same server before this entry. If the entry is gone, the page begins at this index.
   */
  readonly offset: number;
}

const CURSOR_VERSION = 1;

/** Returns the opaque pagination cursor for a position: JSON in URL-safe base64. */
export function encodeCursor({ list, place, key, offset }: ListPosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([CURSOR_VERSION, list, place, key, offset]));
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The inverse of {@link encodeCursor}. Returns `undefined` for any text not created by it. */
export function decodeCursor(cursor: string): ListPosition | undefined {
  const parts = parseCursor(cursor);
  if (!Array.isArray(parts) || parts.length !== 5) return undefined;
  const [version, list, place, key, offset]: readonly unknown[] = parts;
  if (version !== CURSOR_VERSION || typeof list !== 'string' || typeof key !== 'string') return undefined;
  return isIndex(place) && isIndex(offset) ? { list, place, key, offset } : undefined;
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function parseCursor(cursor: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  try {
    const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
