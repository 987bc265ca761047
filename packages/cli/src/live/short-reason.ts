import { explainingLine } from '@mcpmux/core';

/**
 * Shortens the reason why a server is not running to one line: the failure and, if there is one, the stderr line that
 * explains it. `mcpmux doctor` shows the whole reason.
 */
export function shortReason(name: string, problem: string): string {
  const [first = '', ...rest] = problem.split('\n');
  const failure = first
    .replace(`Server "${name}" could not be started: `, '')
    .replace(`Server "${name}" `, '')
    .replace(/ in PATH \(.*$/, ' in PATH.');
  const explanation = explainingLine(stderrLines(rest));
  return explanation === undefined ? failure : `${failure.replace(/\.$/, '')}: ${explanation}`;
}

function stderrLines(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => line.startsWith('Lines of its stdout'));
  return lines.slice(0, end === -1 ? undefined : end).filter((line) => line.startsWith('  '));
}
