/** How a client writes the value of an environment variable: `${VAR}`, `${env:VAR}`, or not at all. */
export type PlaceholderStyle = 'shell' | 'prefixed' | 'none';

const VARIABLE = /\$\{(?:env:)?(?<name>[A-Za-z_]\w*)(?<fallback>:-[^}]*)?\}/g;
/** Placeholders that name no variable of the environment. */
const NO_VARIABLES: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'cwd',
  'pathSeparator',
]);
const BARE = /(?<![$\\])\$(?<name>[A-Za-z_]\w*)/g;

/** The same text for another client. A default stays as it is: only some know it. */
export function inStyle(text: string, style: PlaceholderStyle): string {
  if (style === 'none') return text;
  return text.replaceAll(VARIABLE, (all: string, name: string, fallback: string | undefined) => {
    if (fallback !== undefined || NO_VARIABLES.has(name)) return all;
    return style === 'shell' ? `\${${name}}` : `\${env:${name}}`;
  });
}

/** `$VAR` as Gemini CLI has it becomes `${VAR}`. */
export function withBraces(text: string): string {
  return text.replaceAll(BARE, (_, name: string) => `\${${name}}`);
}

/** True when something in the text is replaced at start. */
export function hasPlaceholder(text: string): boolean {
  return text.includes('${');
}

const WHOLE = /^(?:(?:Bearer|Basic|token) )?\$\{(?:env:|file:)?[^}:]+\}$/;

/** True for a value that only names a variable or a file, as a header may with its scheme: it may be shown. */
export function isPlaceholder(value: string): boolean {
  return WHOLE.test(value);
}
