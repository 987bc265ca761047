/** The names that the source of an `index.ts` exports, in the order of the alphabet. */
export function exportedNames(source: string): readonly string[] {
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, list = '']) => list.split(','));
  const names = lists.flat().map((name) =>
    name
      .replace(/^.* as /s, '')
      .replace(/^\s*type\s/, '')
      .trim(),
  );
  return names.filter((name) => name !== '').toSorted();
}

/** The names in the first column of the table below `## API` in a README, in the order of the alphabet. */
export function documentedNames(readme: string): readonly string[] {
  const [, api = ''] = readme.split('\n## API\n');
  const rows = api.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split(' | ')[0] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)[^`]*`/g)].map(([, name = '']) => name)).toSorted();
}
