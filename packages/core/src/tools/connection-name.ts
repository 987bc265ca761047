import { isServerName } from '@mcpmux/namespace';

/** Leaves room for what is appended, and for the names of tools. */
const MAX_LENGTH = 24;

/** A name for a connection to an instance: what the instance calls itself, as far as a server can be called so. */
export function connectionName(instance: string, isTaken: (name: string) => boolean): string {
  const plain = instance
    .replaceAll(/[^\p{L}\p{N}.-]+/gu, '-')
    .slice(0, MAX_LENGTH)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const base = isServerName(plain) ? plain : 'instance';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!isTaken(name)) return name;
  }
}
