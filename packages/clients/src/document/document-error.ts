/** Counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Why a document cannot be read, or be edited without touching other parts of it. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    message: string,
    readonly position?: Position,
  ) {
    super(message);
  }
}
