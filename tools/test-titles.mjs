/** A title: a text of the source that begins with row ids and a colon. */
const TITLE = /(['"`])((?:[A-Z]\d{1,2})(?:,? [A-Z]\d{1,2})*): ((?:\\.|(?!\1).)+)\1/g;
const GROUP = /^describe(?:\.\w+)*(?:\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gm;

/** The tests of a source that name rows: their ids, their title behind that of their group, and where they are. */
export function testsIn(source, path) {
  const groups = [...source.matchAll(GROUP)];
  return [...source.matchAll(TITLE)].map((match) => {
    const isNested = /^\s/.test(source.slice(source.lastIndexOf('\n', match.index) + 1));
    const group = isNested ? groupBefore(groups, match.index) : '';
    return { ids: match[2].split(/,? /), title: `${group}${unescaped(match[3])}`, path };
  });
}

function groupBefore(groups, index) {
  const group = groups.findLast((match) => match.index < index);
  return group === undefined ? '' : `${unescaped(group[2])}: `;
}

function unescaped(text) {
  return text.replaceAll(/\\(.)/g, '$1');
}
