/** Every code a {@link NamespaceError} can carry. Codes are stable; messages may be reworded. */
export type NamespaceErrorCode = 'INVALID_SERVER_NAME';

/**
 * A name that breaks the rules of its kind.
 *
 * `code` is for programs. `message` is for the model or person who chose the name: it shows the name,
 * says what is wrong with it and what to do instead.
 */
export class NamespaceError extends Error {
  override readonly name = 'NamespaceError';
  readonly code: NamespaceErrorCode;

  constructor(code: NamespaceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
