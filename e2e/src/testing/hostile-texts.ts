const ESCAPE = '\u001b';

/** Every character that acts on a terminal or reorders text, but newline and tab. */
const CHARACTERS: readonly string[] = [
  ...codes(0, 0x1f).filter((character) => character !== '\n' && character !== '\t'),
  ...codes(0x7f, 0x9f),
  '\u061c',
  '\u200e',
  '\u200f',
  ...codes(0x20_28, 0x20_2e),
  ...codes(0x20_66, 0x20_69),
];

const SEQUENCES: readonly string[] = [
  `${ESCAPE}[2J${ESCAPE}[1;1H`,
  `${ESCAPE}]0;title\u0007`,
  `${ESCAPE}]0;title${ESCAPE}\\`,
  `${ESCAPE}]52;c;ZXZpbA==\u0007`,
  `${ESCAPE}]8;;https://evil.example\u0007`,
  `${ESCAPE}[?1049h`,
  `${ESCAPE}P0;0|17/ab${ESCAPE}\\`,
  `${ESCAPE}_Gf=24${ESCAPE}\\`,
  `${ESCAPE}c`,
  `${ESCAPE}[0m`,
  `${ESCAPE}[12345678901234531m`,
  `${ESCAPE}${ESCAPE}[0m[31m`,
  '\u009b2J',
  '\u009d0;title\u009c',
  '\r[error] forged',
  '\b\b\b\b',
  '\u202eevil\u202c',
  '\u2066a\u2069',
];

/** As many hostile texts as are asked for: each begins with a letter and its number, and holds what must not act. */
export function hostileTexts(count: number): readonly string[] {
  const parts = [...CHARACTERS, ...SEQUENCES];
  return Array.from({ length: count }, (_, index) => {
    const first = parts[index % parts.length] ?? '';
    const second = parts[(index * 7 + 3) % parts.length] ?? '';
    return index < parts.length ? `h${index}${first}z` : `h${index}${first}y${second}z`;
  });
}

/** What must not be on a screen, beside the line breaks of the terminal itself. */
export const ACTING = new RegExp(`[${CHARACTERS.map(escaped).join('')}]`, 'u');

function codes(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
