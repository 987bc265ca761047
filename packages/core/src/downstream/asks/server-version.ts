import type { Upstream } from '../../upstream/upstream.js';

const numbers = new WeakMap<object, number>();
let given = 0;

/** A text that is another one after each start of a server, and after each change of what it lists. */
export function versionOf(upstream: Upstream | undefined): string {
  if (upstream === undefined) return '';
  const { connection, lists } = upstream;
  return [upstream, connection ?? upstream, lists].map(numberOf).join('.');
}

function numberOf(value: object): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  given += 1;
  numbers.set(value, given);
  return given;
}
