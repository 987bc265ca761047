import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const COMMENT = /\/\*[^]*?\*\/|^\/\/.*$/gm;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
/** tsc writes each statement at the beginning of a line, and indents what is inside. */
const STATEMENT = /^[a-z][^]*?(?=^[a-z]|(?![^]))/gm;
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:class|const enum|const|enum|function|interface|type) (\w+)/;
const NAMED = /^(?:import|export)(?: type)? \{([^}]*)\}(?: from '([^']+)')?;/;
const RENAMED = /^(?:type )?(\w+)(?: as (\w+))?$/;
const NAME = /(?<![.\w]|typeof )[A-Z]\w*/g;

const files = new Map();

/** The declarations of a file, and the names that come from other files, by name. */
function declarationsOf(path) {
  const known = files.get(path);
  if (known !== undefined) return known;
  const file = { path, declared: new Map(), linked: new Map(), exported: [] };
  files.set(path, file);
  const text = readFileSync(path, 'utf8').replaceAll(COMMENT, '');
  for (const [statement] of text.matchAll(STATEMENT)) {
    const names = [...declareName(file, statement), ...linkNames(file, statement)];
    if (statement.startsWith('export ')) file.exported.push(...names);
  }
  return file;
}

/** Adds the declaration of a statement, if it has one. Overloads of one function count as one declaration. */
function declareName({ declared }, statement) {
  const [, name] = DECLARED.exec(statement) ?? [];
  if (name === undefined) return [];
  declared.set(name, `${declared.get(name) ?? ''}${statement}`);
  return [name];
}

/** Adds the names that a statement imports, or exports from another file. */
function linkNames({ linked }, statement) {
  const [, names = '', from] = NAMED.exec(statement) ?? [];
  const parts = names.split(',').flatMap((part) => [RENAMED.exec(part.trim()) ?? []].filter(([all]) => all));
  return parts.map(([, name, local = name]) => {
    if (from !== undefined) linked.set(local, { from, name });
    return local;
  });
}

/** The file that declares a name; undefined for names of other packages and of the language. */
function originOf(file, name) {
  if (file.declared.has(name)) return { file, name };
  const link = file.linked.get(name);
  if (link === undefined || !link.from.startsWith('.')) return undefined;
  const path = resolve(file.path, '..', link.from.replace(/\.js$/, '.d.ts'));
  return originOf(declarationsOf(path), link.name);
}

const keyOf = ({ file, name }) => `${file.path}#${name}`;

/**
 * The exports of a package whose signature names a type of the package that no entry point exports: a host could not write
 * that type down. A type that is local to its file counts as a part of the signature. Reads the declarations in `dist`.
 */
export function unexportedTypes(folder, { exports }) {
  const entries = Object.values(exports).flatMap(({ types }) =>
    types === undefined ? [] : join(folder, types),
  );
  const unbuilt = entries.find((entry) => !existsSync(entry));
  if (unbuilt !== undefined) throw new Error(`${unbuilt} does not exist: build the package first`);
  const origins = entries
    .map(declarationsOf)
    .flatMap((file) =>
      file.exported.map((name) => originOf(file, name)).filter((origin) => origin !== undefined),
    );
  const exported = new Set(origins.map(keyOf));
  const problems = origins.flatMap(({ file, name }) => {
    const used = new Set(file.declared.get(name).replaceAll(STRING, "''").match(NAME));
    return [...used]
      .map((type) => originOf(file, type))
      .filter((origin) => origin?.file.exported.includes(origin.name) && !exported.has(keyOf(origin)))
      .map(
        (origin) =>
          `${name} names ${origin.name}, which no entry point exports: ${relative(folder, origin.file.path)}`,
      );
  });
  return [...new Set(problems)];
}
