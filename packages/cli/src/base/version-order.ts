/** True if one version comes before another. A pre-release comes before its release. */
export function isOlder(version: string, other: string): boolean {
  const [one, two] = [partsOf(version), partsOf(other)];
  const at = one.findIndex((part, index) => part !== two[index]);
  if (at === -1) return one.length < two.length;
  const [a = '', b] = [one[at], two[at]];
  if (b === undefined) return false;
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) < Number(b);
  // A number comes before a word. Both come before the end of a pre-release, because `~` sorts after all letters.
  return a < b;
}

/** Follows a release in place of a pre-release. */
const END = '~';

function partsOf(version: string): readonly string[] {
  const [release = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  return [...release.split('.'), ...(rest.length === 0 ? [END] : rest.join('-').split('.'))];
}
