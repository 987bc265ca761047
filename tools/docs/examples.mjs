// What the commands in the pages print: every line that begins with "$ " in a console block is run.
// Each page has a home folder of its own. A block that names a file of the home folder is written there first; comments
// start and end a mcpmux:
//
//   <!-- start: mcpmux serve -->      <!-- end -->
import { spawnSync } from 'node:child_process';

import { CaptureHome } from '../captures/home.mjs';
import { stable } from '../captures/stable.mjs';

const EXAMPLES = /^(?:docs\/.*|packages\/cli\/README\.md)/;

/** The pages whose commands print something else than the page says, with the text that they should have. */
export async function staleExamples(pages) {
  const stale = [];
  for (const { path, text } of pages) {
    if (!EXAMPLES.test(path) || !text.includes('\n```console\n')) continue;
    const now = await withOutputs(text);
    if (now !== text) stale.push({ path, text: now });
  }
  return stale;
}

async function withOutputs(text) {
  const home = new CaptureHome();
  try {
    return await captured(text, home);
  } finally {
    home.remove();
  }
}

/** The text with the output of every command as it is now. */
async function captured(text, home) {
  const result = [];
  let block;
  let serving;
  for (const line of text.trimEnd().split('\n')) {
    const start = /^<!-- start: (?<command>.+) -->$/.exec(line)?.groups?.command;
    if (start !== undefined) serving = await home.start(start);
    if (line === '<!-- end -->') await home.end(serving);
    if (block === undefined) {
      result.push(line);
      block = opened(line);
    } else if (line === '```') {
      result.push(...closed(block, home), line);
      block = undefined;
    } else block.lines.push(line);
  }
  return `${result.join('\n')}\n`;
}

/** A console block, or one that is the content of a file. */
function opened(line) {
  const { language, path } = /^```(?<language>\w+)(?: (?<path>~\/\S+))?$/.exec(line)?.groups ?? {};
  return language === undefined ? undefined : { language, path, lines: [] };
}

function closed({ language, path, lines }, home) {
  if (path !== undefined) home.write(path, `${lines.join('\n')}\n`);
  if (language !== 'console') return lines;
  return lines.flatMap((line) => (line.startsWith('$ ') ? [line].concat(outputOf(line.slice(2), home)) : []));
}

function outputOf(command, home) {
  const { stdout } = spawnSync('/bin/sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd: home.folder,
    env: home.env,
    encoding: 'utf8',
  });
  const text = stable(home.shown(stdout)).trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}
