/** A fault in a config file. Never contains the value of a setting. */
export interface ConfigProblem {
  /** An `error` keeps the server or the config from starting; a `warning` changes nothing. */
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

/** One line in the format of compilers, which editors and terminals turn into a link. */
export function formatProblem({ severity, file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${formatMessage(rest)}`;
}

/** The same without the severity, which a log record has itself. */
export function formatProblemForLog({ file, line, column, ...rest }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${formatMessage(rest)}`;
}

/** The problems in the order of the file. */
export function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function formatMessage({ path, message }: Pick<ConfigProblem, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** The path of a setting, such as `mcpServers.github.args[0]`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w$-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
