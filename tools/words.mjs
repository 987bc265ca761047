#!/usr/bin/env node
// Draws names and comments of the packages, for a reader who judges their words. The same seed draws the same sample of
// the same tree.
//
// usage: node tools/words.mjs [--seed <text>] [--count <number>]
import { createHash } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { packageSources } from './packages/sources.mjs';

const DECLARED =
  /(?:\b(?:function\*?|class|interface|type|const|enum)\s+|^ {2}(?:(?:private|protected|readonly|static|async|abstract|get)\s+)*)(?<name>[A-Za-z]\w+)(?=[\s(<:=?!])/gm;
const COMMENT = /\/\*\*(?<block>[^]*?)\*\/|(?<=^|\s)\/\/(?<line> .*(?:\n\s*\/\/ .*)*)/gm;
const NO_NAME =
  /^(?:if|for|while|switch|return|throw|await|else|try|const|let|type|readonly|constructor|export|import|case|yield|new)$/;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '60' } },
});
const sources = packageSources().flatMap(({ name, files }) =>
  [...files].map(([path, text]) => ({ path: `packages/${name}/src/${path}`, text })),
);
print('names', sources.flatMap(namesIn));
print('comments', sources.flatMap(commentsIn));

function namesIn({ path, text }) {
  const code = text.replaceAll(COMMENT, '');
  const names = [...code.matchAll(DECLARED)]
    .map(({ groups }) => groups.name)
    .filter((name) => !NO_NAME.test(name));
  return [...new Set(names)].map((name) => `${path}: ${name}`);
}

function commentsIn({ path, text }) {
  return [...text.matchAll(COMMENT)].map(({ groups: { block, line } }) => {
    const words = (block ?? line)
      .replaceAll(/\n\s*(?:\*|\/\/)/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return `${path}: ${words}`;
  });
}

function print(title, all) {
  const drawn = [...new Set(all)].toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
  process.stdout.write(`${title}, ${values.count} of ${drawn.length}\n`);
  for (const line of drawn.slice(0, Number(values.count))) process.stdout.write(`- ${line}\n`);
}

function rank(text) {
  return createHash('sha256').update(`${values.seed}\n${text}`).digest('hex');
}
