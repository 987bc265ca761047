import { basename, sep } from 'node:path';

import { messageOf } from '@mcpmux/core';
import type { ClientPlaces } from '@mcpmux/clients';

/** The sources of placeholder values. */
export interface InterpolationSources extends Omit<ClientPlaces, 'platform'> {
  readonly workspaceFolder: string;
  /** @throws an error if the file cannot be read */
  readonly readFile: (path: string) => string;
  /** Returns a secret by name. @throws an error if the keyring cannot be used */
  readonly readSecret?: ((name: string) => string | undefined) | undefined;
  /**
   * Registers a command that prints the value each time the server starts. Returns the reason if the command cannot be
   * used. If this function is absent, no command can be used.
   */
  readonly addCommand?: ((line: string) => string | undefined) | undefined;
}

/** The sources of placeholder values in a server entry. */
export interface ServerSources extends Omit<InterpolationSources, 'addCommand'> {
  /** The reason why the config must not run commands to obtain values, if any. */
  readonly commandRefusal?: string | undefined;
  /** The reason why the entry must not use values from outside its file, if any. */
  readonly valueRefusal?: string | undefined;
}

/** A string with its placeholders replaced, and the problems with placeholders that could not be replaced. */
export interface Interpolated {
  readonly text: string;
  /** One sentence for each problem. Never contains a value. */
  readonly problems: readonly string[];
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;
const SCHEME_PREFIX = /^[A-Za-z]+:/;
/** Gemini CLI's syntax for variables. Matches only if the whole value is a `$` and an uppercase name. */
const BARE_VARIABLE = /^\$([A-Z_][A-Z0-9_]*)$/;
const ESCAPED_BARE_VARIABLE = /^\$\$+[A-Z_][A-Z0-9_]*$/;

/**
 * Replaces `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${file:PATH}`, `${secret:NAME}`, `${input:ID}`,
 * `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${cwd}`, `${pathSeparator}`, `${/}`, and `$VAR`
 * as a whole value. Does not interpolate inserted values again. Unescapes `$${` to `${`, and `$$VAR` as a whole value
 * to `$VAR`. Leaves unknown placeholders without a scheme unchanged, and `${cmd:LINE}`, which is replaced each time the
 * server starts.
 */
export function interpolate(text: string, sources: InterpolationSources): Interpolated {
  const bareName = BARE_VARIABLE.exec(text)?.[1];
  const bareValue = bareName === undefined ? undefined : variableValue(bareName, sources);
  if (bareValue !== undefined) return { text: bareValue, problems: [] };
  if (ESCAPED_BARE_VARIABLE.test(text)) return { text: text.slice(1), problems: [] };
  let result = '';
  const problems: string[] = [];
  for (let position = 0; position < text.length;) {
    const start = text.indexOf('${', position);
    const end = start < 0 ? -1 : closingBraceIndex(text, start + 2);
    if (end < 0) return { text: result + text.slice(position), problems };
    const isEscaped = start > position && text[start - 1] === '$';
    if (isEscaped) {
      result += `${text.slice(position, start - 1)}\${`;
      position = start + 2;
      continue;
    }
    const replacement = replacePlaceholder(text.slice(start + 2, end), sources);
    result += text.slice(position, start) + replacement.text;
    problems.push(...replacement.problems);
    position = end + 1;
  }
  return { text: result, problems };
}

/** Escapes a string, so that {@link interpolate} returns the original. */
export function literalText(text: string): string {
  if (BARE_VARIABLE.test(text) || ESCAPED_BARE_VARIABLE.test(text)) return `$${text}`;
  let result = '';
  let position = 0;
  let start = text.indexOf('${');
  while (start >= 0 && closingBraceIndex(text, start + 2) >= 0) {
    result += `${text.slice(position, start)}$\${`;
    position = start + 2;
    start = text.indexOf('${', position);
  }
  return result + text.slice(position);
}

/** Returns the index of a placeholder's closing brace, or -1. Skips placeholders nested in a default. */
function closingBraceIndex(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

function replacePlaceholder(body: string, sources: InterpolationSources): Interpolated {
  const constant = constantValues(sources).get(body);
  if (constant !== undefined) return { text: constant, problems: [] };
  if (body.startsWith('secret:')) return resolveSecret(body.slice('secret:'.length), sources);
  if (body.startsWith('input:')) return resolveInput(body.slice('input:'.length), sources);
  if (body.startsWith('cmd:')) return registerCommand(body, sources);
  if (body.startsWith('file:')) return readFileContent(body.slice('file:'.length), sources);
  const expression = body.startsWith('env:') ? body.slice('env:'.length) : body;
  const [name, fallback] = splitDefault(expression);
  if (VARIABLE_NAME.test(name)) return resolveEnv(name, fallback, sources);
  if (SCHEME_PREFIX.test(body))
    return failureWith(`\${${body.split(':', 1)[0]}:...} is no placeholder of mcpmux`);
  return { text: `\${${body}}`, problems: [] };
}

function constantValues({ workspaceFolder, home, cwd }: InterpolationSources): ReadonlyMap<string, string> {
  return new Map([
    ['workspaceFolder', workspaceFolder],
    ['workspaceFolderBasename', basename(workspaceFolder)],
    ['userHome', home],
    ['cwd', cwd],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
}

function splitDefault(expression: string): readonly [name: string, fallback: string | undefined] {
  const at = expression.indexOf(':-');
  return at < 0 ? [expression, undefined] : [expression.slice(0, at), expression.slice(at + 2)];
}

/** As in a shell, the default also replaces an empty value. */
function resolveEnv(name: string, fallback: string | undefined, sources: InterpolationSources): Interpolated {
  const value = variableValue(name, sources);
  if (fallback !== undefined && (value === undefined || value === '')) return interpolate(fallback, sources);
  return value === undefined
    ? failureWith(`the environment variable ${name} is not set`)
    : { text: value, problems: [] };
}

/** Ignores inherited properties such as `constructor`. */
function variableValue(name: string, { environment }: InterpolationSources): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

function readFileContent(path: string, { readFile }: InterpolationSources): Interpolated {
  try {
    // Editors add a final line break, which is not part of the value.
    return { text: readFile(path).replace(/\r?\n$/, ''), problems: [] };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read';
    return failureWith(`the file ${path} of \${file:...} cannot be read (${code})`);
  }
}

function resolveSecret(name: string, { readSecret = () => undefined }: InterpolationSources): Interpolated {
  try {
    const value = readSecret(name);
    return value === undefined
      ? failureWith(`the keyring has no secret ${name}: mcpmux secret set ${name}`)
      : { text: value, problems: [] };
  } catch (error) {
    return failureWith(
      `the secret ${name} cannot be read from the keyring of the system (${messageOf(error)})`,
    );
  }
}

function registerCommand(
  body: string,
  { addCommand = () => NO_COMMAND_REASON }: InterpolationSources,
): Interpolated {
  const problem = addCommand(body.slice('cmd:'.length));
  return problem === undefined ? { text: `\${${body}}`, problems: [] } : failureWith(problem);
}

const NO_COMMAND_REASON = '${cmd:...} is only for values in env, headers, args and url';

/** Reads an input from its environment variable, or else from the keyring. VS Code prompts the user instead. */
function resolveInput(id: string, sources: InterpolationSources): Interpolated {
  const variableName = inputVariable(id);
  const value = variableValue(variableName, sources);
  if (value !== undefined) return { text: value, problems: [] };
  const secret = resolveSecret(inputSecret(id), sources);
  return secret.problems.length === 0
    ? secret
    : failureWith(
        `the input ${id} is not set: mcpmux secret set ${inputSecret(id)}, or the environment variable ${variableName}`,
      );
}

/**
 * Returns the name of an input's secret. The prefix prevents an entry's author, who chooses the ids of its inputs, from
 * reading the user's other secrets.
 */
export function inputSecret(id: string): string {
  return `input.${id}`;
}

/** Returns the name of an input's environment variable, such as `API_KEY` for `api-key`. */
export function inputVariable(id: string): string {
  return id.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}

function failureWith(problem: string): Interpolated {
  return { text: '', problems: [problem] };
}
