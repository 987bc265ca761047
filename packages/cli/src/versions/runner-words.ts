/** The options of each runner without a value, and with the next word as their value. */
const OPTIONS = {
  npm: {
    plain: new Set(['-y', '--yes', '-q', '--quiet', '-s', '--silent', '--prefer-offline', '--prefer-online']),
    valued: new Set<string>(),
    // The option that names the package. The word after the options is then a program of the package.
    names: new Set(['-p', '--package']),
  },
  pypi: {
    plain: new Set(['-q', '--quiet', '--isolated', '-n', '--no-cache', '--offline', '--no-progress']),
    valued: new Set(['--python', '-p', '--with', '-w']),
    names: new Set(['--from']),
  },
};

/** The options of `docker run` without a value. All other options have one. */
const DOCKER_PLAIN = new Set([
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

/** Returns the index of the package in the arguments of `npx` or `uvx`. Undefined after an unknown option. */
export function flaggedAt(kind: keyof typeof OPTIONS, words: readonly string[]): number | undefined {
  const { plain, valued, names } = OPTIONS[kind];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) return at;
    if (names.has(word)) return at + 1;
    if (valued.has(word)) at += 1;
    else if (!plain.has(word)) return undefined;
  }
  return undefined;
}

/** Returns the index of the image in `run OPTIONS IMAGE`. Undefined for other commands of docker. */
export function dockerImageAt(words: readonly string[]): number | undefined {
  if (words[0] !== 'run') return undefined;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) return at;
    // -it, and -eNAME=value: a value in the same word
    const isShort = /^-[^-]/.test(word);
    const isOneWord = isShort ? word.length > 2 || /^-[dPitq]$/.test(word) : word.includes('=');
    if (!isOneWord && !DOCKER_PLAIN.has(word)) at += 1;
  }
  return undefined;
}
