import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

import { isRecord } from '@mcpmux/kit';
import type { Login } from '@mcpmux/core';

/** A key that seals and opens logins. */
export interface LoginKey {
  /** Identifies the key in sealed logins and in logs, in hexadecimal. Does not reveal the key. */
  readonly id: string;
  readonly key: Uint8Array;
}

/** The keys of a node. The first key seals logins, and all keys open them. */
export type LoginKeys = readonly [LoginKey, ...LoginKey[]];

/** The result of {@link openLogin}. */
export type OpenedLogin =
  | { readonly kind: 'opened'; readonly login: Login; readonly keyId: string }
  /** This node does not have the key that sealed the login. */
  | { readonly kind: 'other-key'; readonly keyId: string }
  /** The record was modified, belongs to another URL or has an unsupported format. */
  | { readonly kind: 'unreadable' };

/** The first byte of a sealed login. A new format must use another number. */
const FORMAT_VERSION = 1;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The length of the version and the key id, in bytes. */
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const UNREADABLE_LOGIN = { kind: 'unreadable' } as const;

/**
 * Parses 32-byte keys in base64, separated by commas or white space. The first key seals logins, and all keys open
 * them, so a key can be replaced while nodes run.
 */
export function loginKeys(text: string): LoginKeys | { readonly problem: string } {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const keys = words.map((word) => Buffer.from(word, 'base64'));
  const wrong = keys.findIndex((key) => key.length !== KEY_BYTES);
  if (wrong !== -1)
    return {
      problem: `key ${wrong + 1} has ${keys[wrong]?.length} bytes, and a key has ${KEY_BYTES} in base64`,
    };
  const [first, ...rest] = keys.map((key) => ({ id: keyIdOf(key), key }));
  return first === undefined ? { problem: 'it contains no key' } : [first, ...rest];
}

/** Returns the bucket key for the login to a URL. The key is a hash, so that the bucket does not reveal the URL. */
export function recordKeyOf(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}

/** Encrypts the login for a URL. The record cannot be opened for another URL. */
export function sealLogin(login: Login, url: string, { id, key }: LoginKey): Uint8Array {
  const head = Buffer.concat([Buffer.of(FORMAT_VERSION), Buffer.from(id, 'hex')]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(authenticatedData(head, url));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(login)), cipher.final()]);
  return Buffer.concat([head, nonce, sealed, cipher.getAuthTag()]);
}

/** Decrypts the login for a URL. */
export function openLogin(record: Uint8Array, url: string, keys: readonly LoginKey[]): OpenedLogin {
  const bytes = Buffer.from(record);
  if (bytes[0] !== FORMAT_VERSION || bytes.length <= HEADER_BYTES + NONCE_BYTES + TAG_BYTES)
    return UNREADABLE_LOGIN;
  const keyId = bytes.toString('hex', 1, HEADER_BYTES);
  const found = keys.find(({ id }) => id === keyId);
  if (found === undefined) return { kind: 'other-key', keyId };
  try {
    const login: unknown = JSON.parse(decrypt(bytes, url, found.key).toString());
    return isRecord(login) ? { kind: 'opened', login, keyId } : UNREADABLE_LOGIN;
  } catch {
    return UNREADABLE_LOGIN;
  }
}

/** @throws Error if the bytes were not sealed with this key for this URL */
function decrypt(bytes: Buffer, url: string, key: Uint8Array): Buffer {
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(authenticatedData(bytes.subarray(0, HEADER_BYTES), url))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const sealed = bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(sealed), decipher.final()]);
}

/** Returns the additional authenticated data, which binds a record to its header and its URL. */
function authenticatedData(head: Uint8Array, url: string): Uint8Array {
  return Buffer.concat([Buffer.from('mcpmux login\n'), head, Buffer.from(url)]);
}

function keyIdOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('mcpmux login key').digest().toString('hex', 0, KEY_ID_BYTES);
}
