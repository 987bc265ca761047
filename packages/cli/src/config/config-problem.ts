/** Something in a config file that a person should look at. Never holds the value of a setting. */
export interface ConfigProblem {
  /** An `error` keeps what it is about from starting; a `warning` changes nothing. */
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 code units, counted from 1. */
  readonly column: number;
  /** The setting, such as `mcpServers.github.args[0]`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** One line, as compilers write it, so that editors and terminals make a link of it. */
export function formatProblem({ severity, file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${formatMessage(rest)}`;
}

/** The same for a log, whose records have a severity of their own. */
export function formatProblemForLog({ file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${formatMessage(rest)}`;
}

/** From the top of the file to its end. */
export function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function formatMessage({ path, message }: Pick<ConfigProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Path of a setting, as people write it. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w$-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
