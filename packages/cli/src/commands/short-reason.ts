/** Where the last failed start of a server says more: the words of programs for a failure. */
const TELLING =
  /\b(?:error|fatal|exception|cannot|denied|invalid|missing|not found|refused|required|unable)\b/i;
/** The line of npm that names the cause. Later lines name a log file and remedies. */
const NPM = /^npm error (?!code )\S/;
/** A line of a stack trace. */
const STACK = /^at\s|^File "|^Traceback/;

/**
 * The reason why a server does not run, for one line of a list: what happened, and the line of its stderr that says
 * why. `mcpmux doctor` shows the whole reason.
 */
export function shortReason(name: string, problem: string): string {
  const [first = '', ...rest] = problem.split('\n');
  const what = first
    .replace(`Server "${name}" could not be started: `, '')
    .replace(`Server "${name}" `, '')
    .replace(/ PATH searched: .*$/, '');
  const said = stderrOf(rest);
  const why =
    said.find((line) => NPM.test(line)) ?? said.findLast((line) => TELLING.test(line)) ?? said.at(-1);
  return why === undefined ? what : `${what.replace(/\.$/, '')}: ${why}`;
}

/** The lines of stderr, without those of a stack. */
function stderrOf(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.startsWith('Lines of its stdout'));
  return lines
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !STACK.test(line));
}
