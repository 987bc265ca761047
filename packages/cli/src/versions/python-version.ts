/** Captures the parts of a Python version (PEP 440), except the local version label (`+…`). */
const VERSION_PATTERN =
  /^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)(?:[._-]?(?<pre>alpha|a|beta|b|preview|pre|c|rc)[._-]?(?<preNumber>\d*))?(?:(?:[._-]?(?<post>post|rev|r)[._-]?(?<postNumber>\d*))|-(?<postOnly>\d+))?(?:[._-]?(?<dev>dev)[._-]?(?<devNumber>\d*))?(?:\+.*)?$/i;
const PHASE_NUMBERS: Readonly<Record<string, number>> = { a: 0, alpha: 0, b: 1, beta: 1 };
const CANDIDATE_PHASE = 2;
const FINAL_PHASE = 3;

/** True if a Python package's `version` precedes `other`. False if either of them is invalid. */
export function isOlderPythonVersion(version: string, other: string): boolean {
  const [one, two] = [parseVersion(version), parseVersion(other)];
  if (one === undefined || two === undefined) return false;
  const length = Math.max(one.release.length, two.release.length);
  const [a, b] = [sortKey(one, length), sortKey(two, length)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

interface VersionNumbers {
  readonly epoch: number;
  readonly release: readonly number[];
  /** The numbers after the release: the phase, its number, the post-release and the development release. */
  readonly suffix: readonly number[];
}

function sortKey({ epoch, release, suffix }: VersionNumbers, length: number): readonly number[] {
  const padded = Array.from({ length }, (_, index) => release[index] ?? 0);
  return [epoch, ...padded, ...suffix];
}

function parseVersion(version: string): VersionNumbers | undefined {
  const groups = VERSION_PATTERN.exec(version)?.groups;
  if (groups === undefined) return undefined;
  const { epoch = '0', release = '', pre, preNumber, post, postNumber, postOnly, dev, devNumber } = groups;
  const isPost = post !== undefined || postOnly !== undefined;
  return {
    epoch: Number(epoch),
    release: release.split('.').map(Number),
    suffix: [
      phaseOf(pre, dev !== undefined && !isPost),
      Number(preNumber || 0),
      isPost ? Number(postOnly ?? (postNumber || 0)) : -1,
      // A development release precedes its release, so a version without a development number sorts last.
      dev === undefined ? Infinity : Number(devNumber || 0),
    ],
  };
}

/** Returns a version's phase as a sortable number. Development releases come first: `1.0.dev1` precedes `1.0a1`. */
function phaseOf(pre: string | undefined, isDev: boolean): number {
  if (pre !== undefined) return PHASE_NUMBERS[pre.toLowerCase()] ?? CANDIDATE_PHASE;
  return isDev ? -1 : FINAL_PHASE;
}
