import { isServerName } from '@mcpmux/namespace';

/** Maximum length of a base name. Leaves room for a suffix and for the names of tools. */
const MAX_LENGTH = 24;

/** Returns a free name for a connection: the instance's own name without characters that a server name cannot have. */
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
