import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HREF = /\shref="([^"#]*)(#[^"]*)?"/g;
const ID = /\sid="([^"]+)"/g;
const ELSEWHERE = /^(?:[a-z]+:|\/\/)/i;

/** The links of the pages that lead to no page, or to no heading of it. */
export function linkProblems(dist) {
  const pages = new Map(htmlFiles(dist).map((path) => [path, readFileSync(join(dist, path), 'utf8')]));
  const ids = new Map([...pages].map(([path, html]) => [path, new Set(matches(html, ID))]));
  return [...pages].flatMap(([path, html]) =>
    [...html.matchAll(HREF)].flatMap(([, href, hash]) => {
      if (ELSEWHERE.test(href)) return [];
      const target = fileOf(dist, new URL(href, `http://site/${path}`).pathname);
      if (target === undefined) return [`${path}: ${href} leads to no page`];
      const heading = hash === undefined ? '' : decodeURIComponent(hash.slice(1));
      const isThere = heading === '' || !ids.has(target) || ids.get(target).has(heading);
      return isThere ? [] : [`${path}: ${href}${hash} leads to no heading`];
    }),
  );
}

/** The file that a server of the site sends for a path. */
export function fileOf(dist, pathname) {
  const path = decodeURIComponent(pathname).slice(1);
  const candidates = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  return candidates.find((file) => existsSync(join(dist, file)) && /\.\w+$/.test(file));
}

function htmlFiles(dist) {
  return readdirSync(dist, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'));
}

function matches(text, pattern) {
  return [...text.matchAll(pattern)].map(([, match]) => match);
}
