import { parsedJson } from '@mcpmux/core';
import { isPlaceholder } from '@mcpmux/clients';

const MASK = '***';
/** Keys whose values are never secret. */
const VISIBLE_KEYS: ReadonlySet<string> = new Set([
  'command',
  'type',
  'transport',
  'cwd',
  'enabled',
  'disabled',
  'name',
]);
const LITERAL_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', '']);
const COMMENT_START = /^(\s*)(\/\/|#|\/\*|\*)/;
const TOML_TABLE = /^\s*\[{1,2}[^\]]*\]{1,2}\s*$/;
const QUOTED_STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
/** Matches a key with its separator and value, even after the dash of a YAML list item. */
const KEY_AND_VALUE = /^(\s*(?:- )?(?:"((?:[^"\\]|\\.)*)"|([\w.$-]+))\s*[:=](?:\s+|$|(?=["'[{])))(.*)$/;
const YAML_ITEM = /^(\s*- )(.*)$/;
const PUNCTUATION_ONLY = /^[\s[\]{}(),:;-]*$/;

/**
 * Masks possible secrets in a line of a client's file (JSON, TOML or YAML). Keys remain visible.
 *
 * A value's position decides, not its text, because another program's file may contain a secret anywhere and in any
 * form, even in a comment.
 *
 * @param visible values that stay visible, such as the values that mcpmux itself writes
 */
export function redactFileLine(line: string, visible: ReadonlySet<string>): string {
  const comment = COMMENT_START.exec(line);
  if (comment !== null) return `${comment[1] ?? ''}${comment[2] ?? ''} …`;
  if (PUNCTUATION_ONLY.test(line) || TOML_TABLE.test(line)) return line;
  const member = KEY_AND_VALUE.exec(line);
  return member === null ? maskedItem(line, visible) : maskedMember(member, visible);
}

function maskedItem(line: string, visible: ReadonlySet<string>): string {
  const [, dash = '', rest = line] = YAML_ITEM.exec(line) ?? [];
  return dash + maskedValue(rest, visible);
}

function maskedMember(
  [, head = '', quotedKey, bareKey, value = '']: RegExpExecArray,
  visible: ReadonlySet<string>,
): string {
  const isVisibleKey = VISIBLE_KEYS.has(quotedKey ?? bareKey ?? '') && !/[[{]/.test(value);
  return `${head}${isVisibleKey ? value : maskedValue(value, visible)}`;
}

/** Masks all text except keys, visible values and punctuation. */
function maskedValue(text: string, visible: ReadonlySet<string>): string {
  let masked = '';
  let position = 0;
  for (const { 0: quoted, index } of text.matchAll(QUOTED_STRING)) {
    masked += maskedUnquoted(text.slice(position, index), visible);
    position = index + quoted.length;
    masked +=
      isVisible(unquotedText(quoted), visible) || startsWithSeparator(text.slice(position))
        ? quoted
        : `${quoted[0]}${MASK}${quoted[0]}`;
  }
  return masked + maskedUnquoted(text.slice(position), visible);
}

/** Returns the text of a quoted string. Only a string in double quotes can contain escapes. */
function unquotedText(quoted: string): string {
  const text = quoted.slice(1, -1);
  if (!quoted.startsWith('"') || !text.includes('\\')) return text;
  const value = parsedJson(quoted);
  return typeof value === 'string' ? value : text;
}

/** Masks words, numbers and comments outside quoted strings. */
function maskedUnquoted(text: string, visible: ReadonlySet<string>): string {
  return text.replace(/[^\s[\]{}(),:=]+(?:[^[\]{}(),]*[^\s[\]{}(),])?/g, (word) => {
    const isName = /^[\w.-]+\s*[:=]$/.test(word);
    if (word === '-' || isName || LITERAL_WORDS.has(word) || isVisible(word, visible)) return word;
    const [, name] = /^([\w.-]+\s*[:=]\s*)./.exec(word) ?? [];
    return `${name ?? ''}${MASK}`;
  });
}

function startsWithSeparator(rest: string): boolean {
  return /^\s*[:=]/.test(rest);
}

function isVisible(value: string, visible: ReadonlySet<string>): boolean {
  return visible.has(value) || isPlaceholder(value);
}
