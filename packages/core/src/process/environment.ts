/** The variable that marks a server's process and its descendants. The value is `{instance id}:{run id}`. */
export const MARKER_VARIABLE = 'MCPMUX_CHILD';

/** The variables that a server inherits from mcpmux: all, only safe ones such as `PATH`, or none. */
export type EnvironmentInheritance = 'all' | 'safe' | 'none';

/** Variables for program and file paths, user name, language and time zone. Normally, they do not contain secrets. */
const SAFE_VARIABLES = new Set(
  [
    ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TZ'],
    ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
    ['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR', 'COMSPEC'],
  ].flat(),
);
/** Variables that the mcpmux command sets for each server. They contain config file paths, not secrets. */
const MCPMUX_VARIABLES = new Set(['MCPMUX_CONFIG_CHAIN']);
/**
 * The start of an exported bash function's value. Not safe: every bash process of the server would import the function.
 */
const SHELL_FUNCTION_PREFIX = '()';

/**
 * Returns a server's environment: the inherited part of mcpmux's environment, the server's `env` merged over it, and
 * the marker. mcpmux uses the marker to find descendants that have left the process group.
 */
export function serverEnvironment(
  parentEnvironment: NodeJS.ProcessEnv,
  configuredVariables: Readonly<Record<string, string>>,
  marker: string,
  inheritance: EnvironmentInheritance = 'all',
): NodeJS.ProcessEnv {
  return {
    ...inheritedVariables(parentEnvironment, inheritance),
    ...configuredVariables,
    [MARKER_VARIABLE]: marker,
  };
}

/**
 * Returns the values of a server's `env` that mcpmux must redact wherever it prints them. Paths, languages, user names
 * and variables that mcpmux itself sets stay readable: a reader may need to know, for example, which PATH is searched.
 */
export function secretValuesOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name]) => !SAFE_VARIABLES.has(name.toUpperCase()) && !MCPMUX_VARIABLES.has(name))
    .map(([, value]) => value);
}

function inheritedVariables(all: NodeJS.ProcessEnv, inheritance: EnvironmentInheritance): NodeJS.ProcessEnv {
  if (inheritance === 'all') return all;
  if (inheritance === 'none') return {};
  // Variable names are case-insensitive on Windows.
  const isSafe = ([name, value]: [string, string | undefined]): boolean =>
    SAFE_VARIABLES.has(name.toUpperCase()) && value?.startsWith(SHELL_FUNCTION_PREFIX) === false;
  return Object.fromEntries(Object.entries(all).filter(isSafe));
}
