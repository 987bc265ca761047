import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const SECTION = /^## (.+)$/m;
const LINK = /\[([^\]]+)\]\(([^)]+\.(?:md|json))\)/g;

/** The sections of docs/README.md and the pages that they list: the order of the site is written there. */
export function sections() {
  const [, ...parts] = readFileSync(`${docs}README.md`, 'utf8').split(/^(?=## )/m);
  return parts.map((part) => ({
    text: SECTION.exec(part)[1],
    collapsed: false,
    items: [...part.matchAll(LINK)].map(([, text, path]) => ({ text, link: linkTo(path) })),
  }));
}

/** All decisions with their titles. */
export function decisions() {
  return readdirSync(`${docs}decisions`)
    .filter((name) => /^\d/.test(name))
    .map((name) => ({ text: titleOf(`${docs}decisions/${name}`), link: linkTo(`decisions/${name}`) }));
}

function titleOf(file) {
  return /^# (.+)$/m.exec(readFileSync(file, 'utf8'))[1];
}

/** The address of a page that docs/README.md names by its path. */
function linkTo(path) {
  const { pathname } = new URL(path, 'file:///docs/');
  return pathname.replace(/README\.md$/, '').replace(/\.(?:md|json)$/, '');
}
