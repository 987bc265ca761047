/** True if `version` precedes `other`. A pre-release precedes its release. */
export function isOlder(version: string, other: string): boolean {
  const [one, two] = [versionParts(version), versionParts(other)];
  const at = one.findIndex((part, index) => part !== two[index]);
  if (at === -1) return one.length < two.length;
  const [a = '', b] = [one[at], two[at]];
  if (b === undefined) return false;
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) < Number(b);
  // In this string comparison, digits sort before letters, and letters sort before `~`.
  return a < b;
}

/** The pre-release part of a final release, which makes it sort after all its pre-releases. */
const RELEASE_MARK = '~';

function versionParts(version: string): readonly string[] {
  const [release = '', ...rest] = (version.split('+')[0] ?? '').split('-');
  return [...release.split('.'), ...(rest.length === 0 ? [RELEASE_MARK] : rest.join('-').split('.'))];
}
