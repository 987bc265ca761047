/** A fault in a config file. Never contains the value of a setting. */
export interface ConfigProblem {
  /** An `error` prevents the server or the config from being used. A `warning` has no such effect. */
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 code units, counted from 1. */
  readonly column: number;
  /** The path of the setting, such as `mcpServers.github.args[0]`. Empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** Formats a problem as compilers do, on one line that editors and terminals turn into a link. */
export function formatProblem({ severity, file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${formatMessage(rest)}`;
}

/** Returns the line of {@link formatProblem} without the severity, which a log record already contains. */
export function formatProblemForLog({ file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${formatMessage(rest)}`;
}

/** Returns the problems in file order. */
export function sortedByPosition(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function formatMessage({ path, message }: Pick<ConfigProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Returns the path of a setting as text, such as `mcpServers.github.args[0]`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w$-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
