import { readFileSync } from 'node:fs';

const EXPORT_STATEMENT = /^export (type )?\{([^}]*)\} from '[^']+';$/gm;
/** Matches `<!-- exports of index.ts -->`, or `<!-- members of A, B in file.ts -->`, up to `<!-- end -->`. */
const GENERATED_LIST = /^<!-- (exports|members) of (.+?)(?: in (\S+))? -->$[^]*?^<!-- end -->$/gm;
/** Matches a member of an interface. The formatter indents members by two spaces, and their content by more. */
const INTERFACE_MEMBER = /^ {2}(?:readonly )?([a-z]\w*)\??[(<:](?! never;)/gim;
/** Matches an entry point that re-exports from other files of the package. */
const RE_EXPORT = /^\} from '\.|^export .* from '\./m;
const MAX_COLUMNS = 100;

/**
 * Returns a README whose lists of exports and members match the sources. A test compares the result with the README,
 * and `vitest run -u` updates the README.
 *
 * @param readme - the README of a package; its lists name files of the folder `src` beside it
 * @throws Error if the README has no list for an entry point of the package, and does not name the page that describes
 *   it: `<!-- guards/index.ts: docs/guards.md -->`
 */
export function withApiLists(readme: URL): string {
  const source = (file: string): string => readFileSync(new URL(`src/${file}`, readme), 'utf8');
  const text = readFileSync(readme, 'utf8');
  const doors = entryPointFiles(new URL('package.json', readme)).filter((file) =>
    RE_EXPORT.test(source(file)),
  );
  for (const door of doors) {
    const [listed, elsewhere] = [`<!-- exports of ${door} -->`, `<!-- ${door}: `];
    if (!text.includes(listed) && !text.includes(elsewhere))
      throw new Error(`the README has no exports of ${door}`);
  }
  return text.replaceAll(GENERATED_LIST, (_, kind: string, of: string, file = '') => {
    if (kind === 'exports') return markedSection(`exports of ${of}`, exportList(source(of)));
    const members = of.split(', ').flatMap((name) => memberNames(source(file), name));
    return markedSection(`members of ${of} in ${file}`, wrapNames('Members', members));
  });
}

/** Returns the source files of the entry points that a manifest exports. */
function entryPointFiles(manifest: URL): readonly string[] {
  const sources = readFileSync(manifest, 'utf8').matchAll(/"@mcpmux\/source": "\.\/src\/([^"]+\.ts)"/g);
  return [...sources].map(([, file = '']) => file);
}

function markedSection(title: string, list: string): string {
  return `<!-- ${title} -->\n\n${list}\n\n<!-- end -->`;
}

/** Returns the lists of exported values and types. Types do not exist at run time, so the source is read. */
function exportList(source: string): string {
  const rest = source.replaceAll(EXPORT_STATEMENT, '').replaceAll(/^\/[/*].*$|^ \*.*$/gm, '');
  if (rest.trim() !== '')
    throw new Error(`a door holds only lines \`export … from\`, and not: ${rest.trim()}`);
  const names = [...source.matchAll(EXPORT_STATEMENT)].flatMap(([, type = '', list = '']) =>
    list.split(',').map((name) => `${type}${name.trim()}`),
  );
  const types = names.filter((name) => name.startsWith('type ')).map((name) => name.replace(/^type /, ''));
  const values = names.filter((name) => name !== '' && !name.startsWith('type '));
  const lists = [wrapNames('Values', values), wrapNames('Types', types)];
  return lists.filter((list) => list !== '').join('\n\n');
}

function memberNames(source: string, name: string): readonly string[] {
  const [, body] = new RegExp(`interface ${name}\\b[^]*?\\{\\n([^]*?)\\n\\}`).exec(source) ?? [];
  if (body === undefined) throw new Error(`no interface is named ${name}`);
  return [...body.matchAll(INTERFACE_MEMBER)].map(([, member = '']) => member);
}

function wrapNames(title: string, names: readonly string[]): string {
  const sorted = [...new Set(names)].filter((name) => name !== '').toSorted();
  if (sorted.length === 0) return '';
  const lines = [`${title}:`];
  for (const [index, name] of sorted.entries()) {
    const word = `\`${name}\`${index === sorted.length - 1 ? '.' : ','}`;
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > MAX_COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
