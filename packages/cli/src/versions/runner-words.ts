/** The options of each runner, grouped by the meaning of the next argument. */
const RUNNER_OPTIONS = {
  npm: {
    plain: new Set(['-y', '--yes', '-q', '--quiet', '-s', '--silent', '--prefer-offline', '--prefer-online']),
    valued: new Set<string>(),
    // Options whose value is the package. The first positional argument is then a program in this package.
    names: new Set(['-p', '--package']),
  },
  pypi: {
    plain: new Set(['-q', '--quiet', '--isolated', '-n', '--no-cache', '--offline', '--no-progress']),
    valued: new Set(['--python', '-p', '--with', '-w']),
    names: new Set(['--from']),
  },
};

/** The options of `docker run` that take no value. All other options take one. */
const DOCKER_FLAGS = new Set([
  '--detach',
  '--init',
  '--interactive',
  '--no-healthcheck',
  '--oom-kill-disable',
  '--privileged',
  '--publish-all',
  '--quiet',
  '--read-only',
  '--rm',
  '--sig-proxy',
  '--tty',
]);

/** Returns the package's index in the arguments of `npx` or `uvx`, or undefined if an unknown option precedes it. */
export function packageArgumentIndex(
  kind: keyof typeof RUNNER_OPTIONS,
  words: readonly string[],
): number | undefined {
  const { plain, valued, names } = RUNNER_OPTIONS[kind];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) return at;
    if (names.has(word)) return at + 1;
    if (valued.has(word)) at += 1;
    else if (!plain.has(word)) return undefined;
  }
  return undefined;
}

/** Returns the image's index in the docker arguments `run OPTIONS IMAGE`, or undefined for other docker commands. */
export function dockerImageIndex(words: readonly string[]): number | undefined {
  if (words[0] !== 'run') return undefined;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) return at;
    // Short options can be combined, as in `-it`, or contain their value, as in `-eNAME=value`.
    const isShortOption = /^-[^-]/.test(word);
    const isOneWord = isShortOption ? word.length > 2 || /^-[dPitq]$/.test(word) : word.includes('=');
    if (!isOneWord && !DOCKER_FLAGS.has(word)) at += 1;
  }
  return undefined;
}
