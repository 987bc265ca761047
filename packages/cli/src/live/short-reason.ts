import { explainingLine } from '@mcpmux/core';

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
  const why = explainingLine(stderrOf(rest));
  return why === undefined ? what : `${what.replace(/\.$/, '')}: ${why}`;
}

function stderrOf(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.startsWith('Lines of its stdout'));
  return lines.slice(0, end === -1 ? undefined : end).filter((line) => line.startsWith('  '));
}
