import { parsedJson } from '@mcpmux/core';
import { isPlaceholder } from '@mcpmux/clients';

const HIDDEN = '***';
/** Keys whose values do not contain secrets. */
const OPEN_KEYS: ReadonlySet<string> = new Set([
  'command',
  'type',
  'transport',
  'cwd',
  'enabled',
  'disabled',
  'name',
]);
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', '']);
const COMMENT = /^(\s*)(\/\/|#|\/\*|\*)/;
const TABLE = /^\s*\[{1,2}[^\]]*\]{1,2}\s*$/;
const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
/** Matches a key with its separator and value, also after the dash of a YAML list. */
const KEY = /^(\s*(?:- )?(?:"((?:[^"\\]|\\.)*)"|([\w.$-]+))\s*[:=](?:\s+|$|(?=["'[{])))(.*)$/;
/** Matches an element of a YAML list. */
const ITEM = /^(\s*- )(.*)$/;
const PUNCTUATION = /^[\s[\]{}(),:;-]*$/;

/**
 * Masks the values that could be secrets in a line of a client's file (JSON, TOML or YAML). Keys remain visible.
 *
 * Masking depends on the position of a value instead of its text, because the file of another program may contain a
 * secret anywhere and in any form, even in comments.
 *
 * @param open values that may be shown, such as the values that mcpmux itself writes
 */
export function redactFileLine(line: string, open: ReadonlySet<string>): string {
  const comment = COMMENT.exec(line);
  if (comment !== null) return `${comment[1] ?? ''}${comment[2] ?? ''} …`;
  if (PUNCTUATION.test(line) || TABLE.test(line)) return line;
  const member = KEY.exec(line);
  return member === null ? maskedItem(line, open) : maskedMember(member, open);
}

function maskedItem(line: string, open: ReadonlySet<string>): string {
  const [, dash = '', rest = line] = ITEM.exec(line) ?? [];
  return dash + maskedValue(rest, open);
}

function maskedMember(
  [, head = '', quotedKey, bareKey, value = '']: RegExpExecArray,
  open: ReadonlySet<string>,
): string {
  const isOpenKey = OPEN_KEYS.has(quotedKey ?? bareKey ?? '') && !/[[{]/.test(value);
  return `${head}${isOpenKey ? value : maskedValue(value, open)}`;
}

/** Hides all text except keys, visible values and punctuation. */
function maskedValue(text: string, open: ReadonlySet<string>): string {
  let masked = '';
  let position = 0;
  for (const { 0: quoted, index } of text.matchAll(STRING)) {
    masked += maskedBare(text.slice(position, index), open);
    position = index + quoted.length;
    masked +=
      isOpen(textOf(quoted), open) || isKey(text.slice(position))
        ? quoted
        : `${quoted[0]}${HIDDEN}${quoted[0]}`;
  }
  return masked + maskedBare(text.slice(position), open);
}

/** Returns the text of a quoted string. JSON, TOML and YAML all allow escapes in double quotes. */
function textOf(quoted: string): string {
  const text = quoted.slice(1, -1);
  if (!quoted.startsWith('"') || !text.includes('\\')) return text;
  const value = parsedJson(quoted);
  return typeof value === 'string' ? value : text;
}

/** Hides words, numbers and comments between strings. */
function maskedBare(text: string, open: ReadonlySet<string>): string {
  return text.replace(/[^\s[\]{}(),:=]+(?:[^[\]{}(),]*[^\s[\]{}(),])?/g, (word) => {
    const isName = /^[\w.-]+\s*[:=]$/.test(word);
    if (word === '-' || isName || WORDS.has(word) || isOpen(word, open)) return word;
    const [, name] = /^([\w.-]+\s*[:=]\s*)./.exec(word) ?? [];
    return `${name ?? ''}${HIDDEN}`;
  });
}

function isKey(behind: string): boolean {
  return /^\s*[:=]/.test(behind);
}

function isOpen(value: string, open: ReadonlySet<string>): boolean {
  return open.has(value) || isPlaceholder(value);
}
