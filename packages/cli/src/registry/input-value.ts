import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The rules for an input's values. */
export interface InputRules {
  /** The accepted values. Absent if any value is accepted. */
  readonly choices?: readonly string[];
  /** The format of the value. Absent for text and for unknown formats. */
  readonly format?: 'number' | 'boolean' | 'filepath';
  /** True if the input accepts several values, one per line. */
  readonly isRepeated?: true;
  /** An example value. */
  readonly placeholder?: string;
}

const TRUE_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);
/** Matches a reference to a variable or a secret. Such a value cannot be validated yet, because it is unknown. */
const REFERENCE = /\$\{[^}]+\}/;

/** Splits the text of a repeated input into its values, one per line. Drops blank lines. */
export function splitValues(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Validates and normalizes an input's value. A boolean becomes `true` or `false`. A file path becomes absolute, because
 * the server runs in another folder.
 *
 * @param folder the base folder for relative paths. If undefined, relative paths are rejected.
 * @throws Error that describes the problem
 */
export function normalizeValue(id: string, rules: InputRules, text: string, folder?: string): string {
  const values = rules.isRepeated === true ? splitValues(text) : [text];
  return values.map((one) => normalizeOne(id, rules, one, folder)).join('\n');
}

function normalizeOne(
  id: string,
  { choices = [], format }: InputRules,
  value: string,
  folder?: string,
): string {
  if (REFERENCE.test(value)) return value;
  if (choices.length > 0 && !choices.includes(value))
    throw new Error(`${id} is one of ${choices.join(', ')}, not "${value}".`);
  if (format === undefined) return value;
  switch (format) {
    case 'number':
      if (value.trim() === '' || !Number.isFinite(Number(value)))
        throw new Error(`${id} is a number, not "${value}".`);
      return value.trim();
    case 'boolean':
      return normalizeBoolean(id, value);
    case 'filepath':
      return normalizePath(id, value, folder);
  }
}

function normalizeBoolean(id: string, value: string): string {
  const word = value.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return 'true';
  if (FALSE_WORDS.has(word)) return 'false';
  throw new Error(`${id} is true or false, not "${value}".`);
}

function normalizePath(id: string, value: string, folder: string | undefined): string {
  if (/^~(?:[/\\]|$)/.test(value)) return join(homedir(), value.slice(1));
  if (isAbsolute(value)) return value;
  if (folder !== undefined) return resolve(folder, value);
  throw new Error(`${id} is the path of a file. Give the whole path: the server runs in another folder.`);
}
