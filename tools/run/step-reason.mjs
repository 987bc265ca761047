// Why a step failed, in the lines that matter of its output.
const LAST_LINES = 30;

/** The ends of the outputs of the tasks that Nx names as failed; the end of the whole output if Nx names none. */
export function reasonOf(output) {
  const lines = output.split('\n');
  const sections = failedTasks(lines).map((task) => `${task}:\n${end(sectionOf(lines, task))}`);
  return sections.length > 0 ? sections.join('\n') : end(lines);
}

/** Nx ends with a list of the tasks that failed: `- <project>:<target>`. */
function failedTasks(lines) {
  const at = lines.findLastIndex((line) => line.trim() === 'Failed tasks:');
  if (at === -1) return [];
  const rest = lines.slice(at + 1).map((line) => line.trim());
  const first = rest.findIndex((line) => line.startsWith('- '));
  const listed = rest.slice(Math.max(0, first));
  const length = listed.findIndex((line) => !line.startsWith('- '));
  return listed.slice(0, length === -1 ? undefined : length).map((line) => line.slice(2));
}

const HEADER = '> nx run ';

/** The output of one task of Nx, which has a header. */
function sectionOf(lines, task) {
  const from = lines.findLastIndex((line) => line.startsWith(`${HEADER}${task}`));
  if (from === -1) return [];
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith(HEADER) || line.startsWith('———'));
  return lines.slice(from + 1, length === -1 ? undefined : from + 1 + length);
}

function end(lines) {
  return lines
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES)
    .join('\n');
}
