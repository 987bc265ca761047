import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { transform } from 'esbuild';
import { rolldown, type OutputChunk, type OutputOptions, type RolldownOutput } from 'rolldown';

import { smallModules } from './small-modules.js';

const OUTPUT: OutputOptions = {
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  // The text of a file stays in memory as long as it has functions that were not called yet.
  comments: false,
  sourcemap: true,
};

/**
 * Bundles the command as CommonJS. Node.js resolves, reads and links each ECMAScript module by itself, asynchronously:
 * that was a third of a start.
 *
 * What serving needs at once is in two files beside the helpers of the bundler: the entry, with the modules that commands
 * without a mux load too, and the rest.
 *
 * @param serving the module that the entry loads to serve a client
 * @param mux the module that no command loads unless it starts servers
 */
export async function bundleCommand(
  entry: string,
  folder: string,
  { serving, mux }: { readonly serving: string; readonly mux: string },
): Promise<void> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    preserveEntrySignatures: false,
    // What a host has of OpenTelemetry is one of a kind: its SDK registers itself there.
    external: /^@(?:opentelemetry|napi-rs)\//,
    resolve: {
      // The CommonJS entry of jsonc-parser requires its parts in a way that no bundler sees.
      mainFields: ['module', 'main'],
      // Packages of ours by their modules: each chunk then holds no more of them than it uses.
      conditionNames: ['@mcpmux/source', 'module', 'import', 'node', 'default'],
    },
    transform: { target: 'node20' },
    // A constant of another chunk costs its export and a look-up at each use.
    optimization: { inlineConst: true },
    plugins: [smallModules],
  });
  const first = await bundle.generate(OUTPUT);
  const loads = modulesByEntry(chunksOf(first));
  const atOnce = loads.get(resolve(serving));
  if (atOnce?.has(resolve(mux)) !== true) throw new Error(`${serving} does not load ${mux} at once`);
  const withoutMux = [...loads.values()].filter((modules) => !modules.has(resolve(mux)));
  const shared = new Set(withoutMux.flatMap((modules) => Array.from(modules)));
  const second = await bundle.generate({
    ...OUTPUT,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'shared', test: (id) => atOnce.has(id) && shared.has(id) },
        { name: 'serving', test: (id) => atOnce.has(id) },
      ],
    },
  });
  await Promise.all(chunksOf(second).map((chunk) => writeChunk(folder, chunk)));
  await bundle.close();
}

function chunksOf({ output }: RolldownOutput): readonly OutputChunk[] {
  return output.filter((file) => file.type === 'chunk');
}

/** Returns the modules that each entry loads at once, by the module of the entry. */
function modulesByEntry(chunks: readonly OutputChunk[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded = (name: string, seen: Set<OutputChunk>): ReadonlySet<OutputChunk> => {
    const chunk = byName.get(name);
    if (chunk === undefined || seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const imported of chunk.imports) loaded(imported, seen);
    return seen;
  };
  return new Map(
    chunks.flatMap(({ facadeModuleId: entry, fileName }) => {
      if (entry === null) return [];
      const modules = [...loaded(fileName, new Set())].flatMap(({ moduleIds }) => moduleIds);
      return [[entry, new Set(modules)]];
    }),
  );
}

/** Large libraries of ES modules, which read no name inside their functions. */
const UNREAD_NAMES =
  /[\\/]node_modules[\\/](?:@modelcontextprotocol[\\/]\w+|eventsource-parser|pkce-challenge)[\\/]dist[\\/]/;

/**
 * Writes a chunk and its source map without white space. V8 reads each character of a start. The names of functions,
 * classes and members stay, for stack traces, and all names of most libraries, some of which read theirs. All characters
 * beyond ASCII are escaped: V8 keeps two bytes for each character of a file that has one beyond Latin-1.
 */
async function writeChunk(folder: string, { fileName, code, map, moduleIds }: OutputChunk): Promise<void> {
  // The helpers of the bundler have no source.
  const mapped =
    map === null ? '' : `//# sourceMappingURL=data:application/json,${encodeURIComponent(map.toString())}`;
  const small = await transform(`${withoutCopies(onDemand(code))}\n${mapped}`, {
    legalComments: 'none',
    minifyWhitespace: true,
    minifySyntax: true,
    // The text is a script, so those of its outermost level stay.
    minifyIdentifiers: !moduleIds.some((id) => id.includes('node_modules') && !UNREAD_NAMES.test(id)),
    sourcemap: 'external',
  });
  // What esbuild does not escape: regular expressions and tagged templates.
  if (/[^\0-\xFF]/.test(small.code)) throw new Error(`${fileName} has characters beyond Latin-1`);
  await writeFile(join(folder, fileName), small.code);
  if (map !== null) await writeFile(join(folder, `${fileName}.map`), small.map);
}

/** Wraps built-in modules, of which rolldown would copy every property in every chunk. */
function withoutCopies(text: string): string {
  return text.replaceAll(/^(node_\w+) = \S*__toESM\(\1(?:, 1)?\);/gm, '$1 = { __proto__: $1, default: $1 };');
}

/** Built-in modules that cost milliseconds of a start, which needs none of them before its first answer. */
const COSTLY = /^let (node_\w+) = (require\("node:(?:child_process|crypto|fs\/promises|http)"\));$/gm;

const PLACE = '/* on demand */';

/** Loads costly built-in modules where they are first used. Lines stay where source maps have them. */
function onDemand(text: string): string {
  let lazy = text;
  for (const [line, name = '', load = ''] of text.matchAll(COSTLY)) {
    const use = new RegExp(`\\b${name}\\.`, 'g');
    const declared = `let ${name}_loaded; const ${name} = () => (${name}_loaded ??= ${load});`;
    // `new name().Member()` would be an instance of what `name` returns.
    const made = new RegExp(`\\bnew ${name}\\.(\\w+)`, 'g');
    lazy = lazy.replace(line, PLACE).replaceAll(made, `new (${name}().$1)`).replaceAll(use, `${name}().`);
    if (new RegExp(`\\b${name}\\b(?!\\(\\)\\.)`).test(lazy)) throw new Error(`${name} is not only read`);
    lazy = lazy.replace(PLACE, () => declared);
  }
  return lazy;
}
