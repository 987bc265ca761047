/**
 * The variable that mcpmux sets in every process that it starts, and that descendants inherit. Its value is `{instance
 * id}:{run id}`.
 */
export const MARKER_VARIABLE = 'MCPMUX_CHILD';

/**
 * The part of mcpmux's environment that a server inherits: all variables, only the variables that programs need, or
 * none.
 */
export type EnvironmentInheritance = 'all' | 'safe' | 'none';

/** Paths of programs and files, user name, language and time zone. None of these variables should hold secrets. */
const SAFE = new Set(
  [
    ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TZ'],
    ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
    ['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR', 'COMSPEC'],
  ].flat(),
);
/** Variables that the mcpmux command sets for each server: the files of the served configs. */
const OWN = new Set(['MCPMUX_CONFIG_CHAIN']);
/** The start of an exported bash function. Every shell that the server starts would run its code. */
const SHELL_FUNCTION = '()';

/**
 * Returns the environment of a server: the inherited part of mcpmux's environment, then the server's `env` merged over
 * it, then the marker. By the marker mcpmux finds descendants that have left the process group.
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
 * Returns the values of a server's `env` that mcpmux must redact in its output. Paths, languages and user names are not
 * secret, because a reader must see which PATH is searched. Variables that mcpmux itself sets are not secret either.
 */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name]) => !SAFE.has(name.toUpperCase()) && !OWN.has(name))
    .map(([, value]) => value);
}

function inheritedPart(all: NodeJS.ProcessEnv, inheritance: EnvironmentInheritance): NodeJS.ProcessEnv {
  if (inheritance === 'all') return all;
  if (inheritance === 'none') return {};
  // Variable names are case-insensitive on Windows.
  const isSafe = ([name, value]: [string, string | undefined]): boolean =>
    SAFE.has(name.toUpperCase()) && value?.startsWith(SHELL_FUNCTION) === false;
  return Object.fromEntries(Object.entries(all).filter(isSafe));
}
