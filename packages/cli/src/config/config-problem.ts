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
export function formatProblem({ severity, file, line, column, path, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** Path of a setting, as people write it. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.map(formatSegment).join('').replace(/^\./, '');
}

function formatSegment(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return /^[\w$-]+$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}
