import { readFileSync } from 'node:fs';

const EXPORT = /^export (?:type )?\{([^}]*)\} from '[^']+';$/gm;
const TABLE = /^\| export\b[^\n]*\n\|[ |:-]+\n((?:\|[^\n]*\n?)*)/gm;
const CODE = /`([^`]+)`/g;

/** The differences between a door and the tables of its README, whose first column is headed `export`. */
export interface DoorDifferences {
  /** Exported, and in no table. */
  readonly missing: readonly string[];
  /** In a table, and not exported. */
  readonly unknown: readonly string[];
}

/**
 * Compares the exports of a door with its README.
 *
 * @param readme - path of the README
 * @param door - path of the door: a file of nothing but `export … from`
 * @param section - title of the section whose tables list the exports; all sections when absent
 */
export function doorDifferences(readme: string | URL, door: string | URL, section?: string): DoorDifferences {
  const documented = documentedNames(sectionOf(readFileSync(readme, 'utf8'), section));
  const exported = exportedNames(readFileSync(door, 'utf8'));
  return {
    missing: exported.filter((name) => !documented.includes(name)),
    unknown: documented.filter((name) => !exported.includes(name)),
  };
}

/** Values and types: types do not exist when a test runs, so the source is read. */
function exportedNames(source: string): readonly string[] {
  const rest = source.replaceAll(EXPORT, '').replaceAll(/^\/[/*].*$|^ \*.*$/gm, '');
  if (rest.trim() !== '')
    throw new Error(`a door holds only lines \`export … from\`, and not: ${rest.trim()}`);
  return [...source.matchAll(EXPORT)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

/** The code in first columns, up to where parameters begin. */
function documentedNames(markdown: string): readonly string[] {
  const rows = [...markdown.matchAll(TABLE)].flatMap(([, body = '']) => body.split('\n'));
  const cells = rows.map((row) => row.split(/(?<!\\)\|/)[1] ?? '');
  return [...cells.join('\n').matchAll(CODE)].map(([, code = '']) => code.replace(/\(.*/s, ''));
}

function sectionOf(markdown: string, title: string | undefined): string {
  if (title === undefined) return markdown;
  const section = markdown.split(/^#+ /m).find((text) => text.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`no section is titled ${title}`);
  return section;
}
