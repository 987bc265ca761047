/** The client's syntax for a reference to an environment variable: `${VAR}`, `${env:VAR}`, or none. */
export type PlaceholderStyle = 'shell' | 'prefixed' | 'none';

const VARIABLE_PLACEHOLDER = /\$\{(?:env:)?(?<name>[A-Za-z_]\w*)(?<fallback>:-[^}]*)?\}/g;
/** Placeholder names that do not refer to environment variables, such as `cwd` in `${cwd}`. */
export const NO_VARIABLES: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'cwd',
  'pathSeparator',
]);
const BARE_VARIABLE = /(?<![$\\])\$(?<name>[A-Za-z_]\w*)/g;

/**
 * Converts `${VAR}` and `${env:VAR}` to the given style. Leaves a placeholder with a default unchanged, because only
 * some clients support defaults.
 */
export function withPlaceholderStyle(text: string, style: PlaceholderStyle): string {
  if (style === 'none') return text;
  return text.replaceAll(VARIABLE_PLACEHOLDER, (all: string, name: string, fallback: string | undefined) => {
    if (fallback !== undefined || NO_VARIABLES.has(name)) return all;
    return style === 'shell' ? `\${${name}}` : `\${env:${name}}`;
  });
}

/** Converts Gemini CLI's `$VAR` to `${VAR}`. */
export function withBraces(text: string): string {
  return text.replaceAll(BARE_VARIABLE, (_, name: string) => `\${${name}}`);
}

/** True if the text contains `${`, the start of a placeholder. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

const PLACEHOLDER_VALUE = /^(?:(?:Bearer|Basic|token) )?\$\{(?:env:|file:|secret:)?[^}:]+\}$/;

/**
 * True if the value consists only of a reference to a variable, a file or a keyring secret, optionally preceded by an
 * authentication scheme. Such a value is safe to display.
 */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER_VALUE.test(value);
}
