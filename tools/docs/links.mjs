import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FENCED = /^```.*?^```/gms;
const LINK = /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const ELSEWHERE = /^(?:[a-z]+:|#)/i;

/** The relative links of Markdown files that lead to no file or folder. */
export function linkProblems(root, pages) {
  return pages.flatMap(({ path, text }) =>
    [...text.replaceAll(FENCED, '').matchAll(LINK)]
      .map(([, target]) => target)
      .filter((target) => !ELSEWHERE.test(target) && !isThere(join(root, dirname(path)), target))
      .map((target) => `${path}: ${target} leads nowhere`),
  );
}

function isThere(folder, target) {
  const [path] = decodeURI(target).split('#');
  return existsSync(join(folder, path));
}
