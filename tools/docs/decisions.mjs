import { posix } from 'node:path';

const DECISION = /^docs\/decisions\/\d{4}-.*\.md$/;
const INDEX = 'docs/decisions/README.md';
const TITLE = /^# \d{4}\. (.*)$/m;

/** The decisions whose number and title no item of the index has. An item may be wrapped. */
export function decisionProblems(pages) {
  const index = pages.find(({ path }) => path === INDEX).text.replaceAll(/\n {2}/g, ' ');
  return pages.filter(({ path }) => DECISION.test(path)).flatMap((page) => problemsOf(page, index));
}

function problemsOf({ path, text }, index) {
  const [, title] = TITLE.exec(text) ?? [];
  if (title === undefined) return [`${path} has no title of the form "# 0000. Title"`];
  const name = posix.basename(path);
  if (index.split('\n').some((line) => line.includes(`](${name})`) && line.includes(title))) return [];
  return [`${INDEX} lacks a line with [${name.slice(0, 4)}](${name}) and the title "${title}"`];
}
