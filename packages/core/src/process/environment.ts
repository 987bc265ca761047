/** Carried by every process that mcpmux starts, and by its descendants: `{instance id}:{run id}`. */
export const MARKER_VARIABLE = 'MCPMUX_CHILD';

/** What of mcpmux's own environment a server gets: all of it, what programs cannot do without, or nothing. */
export type EnvironmentInheritance = 'all' | 'safe' | 'none';

/** Where programs and files are, who the user is, language and time zone. None of them is a place for secrets. */
const SAFE = new Set(
  [
    ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TZ'],
    ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
    ['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR', 'COMSPEC'],
  ].flat(),
);
/** What the command tells each server of its own: the files of the configs that are served. */
const OWN = new Set(['MCPMUX_CONFIG_CHAIN']);
/** How an exported function of bash begins: code that every shell below would run. */
const SHELL_FUNCTION = '()';

/**
 * The environment of a server: mcpmux's own as far as it inherits it, with the server's `env` merged over it, and the
 * marker by which descendants that left the process group are found again.
 */
export function serverEnvironment(
  inherited: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  marker: string,
  inheritance: EnvironmentInheritance = 'all',
): NodeJS.ProcessEnv {
  return { ...inheritedPart(inherited, inheritance), ...own, [MARKER_VARIABLE]: marker };
}

/**
 * The values of a server's `env` that nobody should read in what mcpmux shows. Paths, languages and names of users are
 * none: a reader has to see which PATH was searched. Nor is what mcpmux has put there itself.
 */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name]) => !SAFE.has(name.toUpperCase()) && !OWN.has(name))
    .map(([, value]) => value);
}

function inheritedPart(all: NodeJS.ProcessEnv, inheritance: EnvironmentInheritance): NodeJS.ProcessEnv {
  if (inheritance === 'all') return all;
  if (inheritance === 'none') return {};
  // Windows does not tell small letters from capitals here.
  const isSafe = ([name, value]: [string, string | undefined]): boolean =>
    SAFE.has(name.toUpperCase()) && value?.startsWith(SHELL_FUNCTION) === false;
  return Object.fromEntries(Object.entries(all).filter(isSafe));
}
