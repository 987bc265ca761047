import { readFileSync } from 'node:fs';

const EXPORT = /^export (?:type )?\{([^}]*)\} from '[^']+';$/gm;
const TABLE = /^\| (?:export|member|option|component|setting)\b[^\n]*\n\|[ |:-]+\n((?:\|[^\n]*\n?)*)/gm;
/** The members of an interface: prettier indents them by two, and all that is inside of them by more. */
const MEMBER = /^ {2}(?:readonly )?([a-z]\w*)\??[(<:](?! never;)/gim;
const CODE = /`([^`]+)`/g;

/** The differences between names in a source file and the tables of a README. */
export interface DoorDifferences {
  /** In the source, and in no table. */
  readonly missing: readonly string[];
  /** In a table, and not in the source. */
  readonly unknown: readonly string[];
}

/**
 * Compares the exports of a door with the tables of its README that have the heading `export`.
 *
 * @param readme - path of the README
 * @param door - path of the door: a file of nothing but `export … from`
 * @param section - title of the section whose tables list the exports; all sections when absent
 */
export function doorDifferences(readme: string | URL, door: string | URL, section?: string): DoorDifferences {
  const documented = documentedNames(sectionOf(readFileSync(readme, 'utf8'), section));
  return differences(exportedNames(readFileSync(door, 'utf8')), documented);
}

/**
 * Compares the members of interfaces with the table in the section `Members of …` of a README.
 *
 * @param section - title of the section, without `Members of`
 * @param interfaces - the interfaces that the section describes, each with its file
 */
export function memberDifferences(
  readme: string | URL,
  section: string,
  interfaces: readonly (readonly [name: string, file: string | URL])[],
): DoorDifferences {
  const documented = documentedNames(sectionOf(readFileSync(readme, 'utf8'), `Members of \`${section}\``));
  const members = interfaces.flatMap(([name, file]) => memberNames(readFileSync(file, 'utf8'), name));
  return differences(
    members,
    documented.map((name) => name.replace(/^[a-z]+\./, '')),
  );
}

function differences(names: readonly string[], documented: readonly string[]): DoorDifferences {
  return {
    missing: names.filter((name) => !documented.includes(name)),
    unknown: documented.filter((name) => !names.includes(name)),
  };
}

function memberNames(source: string, name: string): readonly string[] {
  const [, body] = new RegExp(`interface ${name}\\b[^]*?\\{\\n([^]*?)\\n\\}`).exec(source) ?? [];
  if (body === undefined) throw new Error(`no interface is named ${name}`);
  return [...new Set([...body.matchAll(MEMBER)].map(([, member = '']) => member))];
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
