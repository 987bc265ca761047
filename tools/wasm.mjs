#!/usr/bin/env node
// Compiles packages/wire/wasm/json-skipper.ts to WebAssembly and writes it, as base64, to packages/wire/src/json/json-skipper.wasm.ts.
//
// usage: node tools/wasm.mjs [--check]     (--check writes nothing and exits with 1 when the file is stale)
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import asc from 'assemblyscript/asc';

const wire = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages', 'wire');
const file = join(wire, 'src', 'json', 'json-skipper.wasm.ts');
// 55 pages, as memory.ts divides them; what the compiler lays out begins at 1024
const FLAGS =
  '-O3 --noAssert --runtime stub --enable simd --use abort= --initialMemory 55 --maximumMemory 55 --memoryBase 1024';

const { error, binary } = await compile();
if (error !== null) throw error;

const text = `/** \`wasm/json-skipper.ts\`, compiled by \`node tools/wasm.mjs\`. */
export const JSON_SKIPPER_WASM =
  '${Buffer.from(binary).toString('base64')}';
`;
if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('packages/wire/src/json/json-skipper.wasm.ts is stale: run node tools/wasm.mjs\n');
  process.exitCode = 1;
}

async function compile() {
  let compiled = new Uint8Array();
  const paths = ['json-skipper.ts', '--baseDir', join(wire, 'wasm'), '--outFile', 'json-skipper.wasm'];
  const result = await asc.main([...paths, ...FLAGS.split(' ')], {
    writeFile: (_name, contents) => {
      compiled = contents;
    },
  });
  return { error: result.error, binary: compiled };
}
