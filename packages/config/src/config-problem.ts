/** A fault in a config file. Never contains the value of a setting. */
export interface ConfigProblem {
  /** An `error` makes the server or the config unusable. A `warning` does not. */
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 code units, counted from 1. */
  readonly column: number;
  /** The path of the setting, such as `mcpServers.github.args[0]`. Empty if the problem concerns the whole file. */
  readonly path: string;
  readonly message: string;
}

/** Formats a problem on one line like a compiler, so that editors and terminals can link to its position. */
export function formatProblem({ severity, file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${formatMessage(rest)}`;
}

/** Formats a problem like {@link formatProblem}, but omits the severity, which a log record already contains. */
export function formatProblemForLog({ file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${formatMessage(rest)}`;
}

/** Returns the problems sorted by line and column. */
export function sortedByPosition(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function formatMessage({ path, message }: Pick<ConfigProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Formats a setting's path, such as `mcpServers.github.args[0]`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w$-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
