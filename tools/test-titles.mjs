/** A title: a text of the source that begins with row ids and a colon. */
const TITLE = /(['"`])((?:fault )?[A-Z]\d{1,2}(?:,? (?:fault )?[A-Z]\d{1,2})*): ((?:\\.|(?!\1).)+)\1/g;
const GROUP = /^describe(?:\.\w+)*(?:\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm;

/** The tests of a source that name rows: their ids, their title behind that of their group, and where they are. */
export function testsIn(source, path) {
  const groups = [...source.matchAll(GROUP)];
  return [...source.matchAll(TITLE)].map((match) => {
    const isNested = /^\s/.test(source.slice(source.lastIndexOf('\n', match.index) + 1));
    const group = isNested ? groupBefore(groups, match.index) : '';
    return { ids: faultIds(match[2]), title: `${group}${unescaped(match[3])}`, path };
  });
}

function groupBefore(groups, index) {
  const group = groups.findLast((match) => match.index < index);
  return group === undefined ? '' : `${unescaped(group[2])}: `;
}

function unescaped(text) {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** A `fault A2` is another one than an `A2`: that is a wish. The other areas of faults have letters of their own. */
function faultIds(ids) {
  return [...ids.matchAll(/(fault )?([A-Z]\d+)/g)]
    .filter(([, isFault, id]) => isFault !== undefined || !id.startsWith('A'))
    .map(([, , id]) => id);
}
