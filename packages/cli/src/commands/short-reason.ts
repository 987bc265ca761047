/** Matches words with which programs report a failure. */
const TELLING =
  /\b(?:error|fatal|exception|cannot|denied|invalid|missing|not found|refused|required|unable)\b/i;
/** Matches npm's line that names the cause. Later lines name a log file and remedies. */
const NPM = /^npm error (?!code )\S/;
/** Matches a line of a stack trace. */
const STACK = /^at\s|^File "|^Traceback/;

/**
 * Returns the reason why a server does not run, for one line of a list. It consists of the failure and the line of
 * stderr that explains the failure. `mcpmux doctor` shows the whole reason.
 */
export function shortReason(name: string, problem: string): string {
  const [first = '', ...rest] = problem.split('\n');
  const what = first
    .replace(`Server "${name}" could not be started: `, '')
    .replace(`Server "${name}" `, '')
    .replace(/ in PATH \(.*$/, ' in PATH.');
  const said = stderrOf(rest);
  const why =
    said.find((line) => NPM.test(line)) ?? said.findLast((line) => TELLING.test(line)) ?? said.at(-1);
  return why === undefined ? what : `${what.replace(/\.$/, '')}: ${why}`;
}

/** Returns the lines of stderr, without the lines of a stack trace. */
function stderrOf(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.startsWith('Lines of its stdout'));
  return lines
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !STACK.test(line));
}
