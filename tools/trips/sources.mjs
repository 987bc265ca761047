// Finds the source of each function that V8 names in the built command.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const OURS = /^packages\/[^/]+\/src\//;
const BUILT = /^packages\/[^/]+\/dist\//;
/** Between the start of a function and its name stand `async`, `function`, `*` and the like. */
const NAME_WITHIN = 40;
/** Functions of the bundler: loading a chunk, choosing a module in it, and giving an export of it. */
const OF_BUNDLER = /^(?:\(\)=>require\(|n=>n\.|function\(\)\{return )/;
/** V8's names for the functions that give the fields of a class their first values. */
const FIELDS = new Set(['<instance_members_initializer>', '<static_initializer>']);

/** Maps functions of a bundle to the sources of the packages of a repository. */
export class Sources {
  #root;
  #scripts = new Map();

  constructor(root) {
    this.#root = root;
  }

  /** The functions of a coverage that come from our sources, by a key that is the same in each coverage of one process. */
  functionsOf(coverage) {
    const found = new Map();
    for (const { url, functions } of coverage) {
      for (const { functionName, ranges } of functions) {
        const { startOffset } = ranges[0];
        // the top level of a script is no function
        const file = startOffset === 0 ? undefined : this.#fileAt(url, startOffset);
        if (file === undefined) continue;
        const name = FIELDS.has(functionName) ? 'fields' : this.#nameIn(url, startOffset, functionName);
        found.set(`${url}:${startOffset}`, { file, name });
      }
    }
    return found;
  }

  #fileAt(url, offset) {
    if (OF_BUNDLER.test(this.#script(url).text.slice(offset, offset + NAME_WITHIN))) return undefined;
    const { originalSource } = this.#entryAt(url, offset);
    if (originalSource === undefined) return undefined;
    const path = resolve(dirname(fileURLToPath(url)), originalSource);
    const file = relative(this.#root, path).replaceAll(sep, '/');
    // such functions would be missed without a word
    if (BUILT.test(file)) throw new Error(`${file} was bundled without its source map`);
    return OURS.test(file) ? file : undefined;
  }

  /** The name in the source: bundlers number names that two files have. */
  #nameIn(url, offset, name) {
    const { text } = this.#script(url);
    const at = name === '' ? -1 : text.slice(offset, offset + NAME_WITHIN).indexOf(name);
    return (at === -1 ? undefined : this.#entryAt(url, offset + at).name) ?? name;
  }

  #entryAt(url, offset) {
    const { lines, map } = this.#script(url);
    const line = lines.findLastIndex((start) => start <= offset);
    return map.findEntry(line, offset - lines[line]);
  }

  #script(url) {
    const script = this.#scripts.get(url) ?? read(fileURLToPath(url));
    this.#scripts.set(url, script);
    return script;
  }
}

function read(path) {
  const text = readFileSync(path, 'utf8');
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return { text, lines, map: new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8'))) };
}
