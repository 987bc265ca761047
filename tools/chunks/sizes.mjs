// The chunks of the built command.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The bundler appends eight characters of a hash. */
const HASHED = /-[\w-]{8}\.cjs$/;
const PACKAGE = /^(?:\.\.\/)+([\w-]+)\/src\//;

/** Every chunk, the largest first: its file, its size in bytes, and a name that does not change with its contents. */
export function chunksOf(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.cjs'));
  const chunks = files.map((file) => ({ file, bytes: statSync(join(folder, file)).size }));
  const taken = new Map();
  return chunks
    .toSorted((left, right) => right.bytes - left.bytes)
    .map(({ file, bytes }) => ({ file, bytes, name: distinct(nameOf(folder, file), taken) }));
}

/** The bundler calls each chunk of an `index.ts` `src`: such a chunk has the name of its package. */
function nameOf(folder, file) {
  const name = file.replace(HASHED, '').replace(/\.cjs$/, '');
  const map = join(folder, `${file}.map`);
  if (name !== 'src' || !existsSync(map)) return name;
  const { sources } = JSON.parse(readFileSync(map, 'utf8'));
  return PACKAGE.exec(sources.at(-1))?.[1] ?? name;
}

/** Smaller chunks of the same name are numbered. */
function distinct(name, taken) {
  const count = (taken.get(name) ?? 0) + 1;
  taken.set(name, count);
  return count === 1 ? name : `${name} ${count}`;
}
