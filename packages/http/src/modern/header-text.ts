import { isUtf8 } from 'node:buffer';

/** The form of a text that a header cannot hold as it is. */
const ENCODED = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The text that a header stands for; undefined for an encoded one that cannot be decoded. */
export function headerText(value: string): string | undefined {
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return value;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}
