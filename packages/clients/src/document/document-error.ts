/** A position in a text. Lines and columns are counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns the position of a character offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** The error for a document that cannot be parsed, or cannot be edited without changing other parts. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    message: string,
    readonly position?: Position,
  ) {
    super(message);
  }
}
