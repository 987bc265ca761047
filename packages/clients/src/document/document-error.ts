/** A position in a text. Line and column numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts a character offset to a line and column. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Thrown if a document cannot be parsed, or cannot be edited without changing other parts. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    message: string,
    readonly position?: Position,
  ) {
    super(message);
  }
}
