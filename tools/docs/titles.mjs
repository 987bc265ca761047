// What the titles of tests say they show: `it('M9, D4: …')` shows the requirement M9 and the fault D4.
// The letters A and H stand for both: an A or H is a requirement, a `fault A1` or `fault H1` a fault.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A title: a text of the source that begins with row ids and a colon. */
const ID = '(?:fault )?[A-Z]\\d{1,2}';
const TITLE = new RegExp(`(['"\`])(${ID}(?:,? ${ID})*): ((?:\\\\.|(?!\\1).)+)\\1`, 'g');
const GROUP = /^describe(?:\.\w+)*(?:\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm;

const REQUIREMENTS = new Set(['M', 'S']);
const BOTH = new Set(['A', 'H']);

/** All tests of the repository whose titles name rows, in the order of their files. */
export function titledTests(root) {
  const folders = [
    ...readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'src')),
    'packages/core/fuzz',
    'e2e/src',
  ];
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((path) => testsIn(readFileSync(join(root, path), 'utf8'), path));
}

/** A title and its file as an item of a list: what a test fills in is left open, and nothing is markup. */
export function testItem({ title, path }) {
  const text = title.replaceAll(/%(?:\.\d+)?[a-z]|\$\w+/g, '…').replaceAll(/[_*<>[\]`\\|]/g, '\\$&');
  return `  - ${text} ([${path.slice(path.lastIndexOf('/') + 1)}](../../${path}))`;
}

/** The tests of a source that name rows: their title behind that of their group, where they are, and what they show. */
function testsIn(source, path) {
  const groups = [...source.matchAll(GROUP)];
  return [...source.matchAll(TITLE)].map((match) => {
    const isNested = /^\s/.test(source.slice(source.lastIndexOf('\n', match.index) + 1));
    const group = isNested ? groupBefore(groups, match.index) : '';
    const ids = [...match[2].matchAll(/(fault )?([A-Z]\d+)/g)];
    const isRequirement = ([, fault, id]) =>
      REQUIREMENTS.has(id[0]) || (BOTH.has(id[0]) && fault === undefined);
    return {
      faults: ids.filter((id) => !isRequirement(id)).map(([, , id]) => id),
      requirements: ids.filter(isRequirement).map(([, , id]) => id),
      title: `${group}${unescaped(match[3])}`,
      path,
    };
  });
}

function groupBefore(groups, index) {
  const group = groups.findLast((match) => match.index < index);
  return group === undefined ? '' : `${unescaped(group[2])}: `;
}

function unescaped(text) {
  return text.replaceAll(/\\(.)/g, '$1');
}
