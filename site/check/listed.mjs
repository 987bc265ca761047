import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The pages of a docs folder that its README does not list, decisions excepted: nobody finds them in the sidebar. A page of
 * docs/internals is listed by its data.
 */
export function unlistedPages(docs) {
  const list = readFileSync(join(docs, 'README.md'), 'utf8');
  return readdirSync(docs, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && path !== 'README.md' && !path.startsWith('decisions/'))
    .filter((path) => !list.includes(`](${path.replace(/^(internals\/.*)\.md$/, '$1.json')})`))
    .map((path) => `docs/README.md does not list ${path}`);
}
