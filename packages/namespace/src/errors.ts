/** Every code of a {@link NamespaceError}. Codes are stable, but messages may be reworded. */
export type NamespaceErrorCode = 'INVALID_SERVER_NAME';

/**
 * The error for a name that breaks the rules.
 *
 * `code` is for programs. `message` is for the model or person who chose the name. It contains the name, the problem
 * and the remedy.
 */
export class NamespaceError extends Error {
  override readonly name = 'NamespaceError';
  readonly code: NamespaceErrorCode;

  constructor(code: NamespaceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
