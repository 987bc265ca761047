/** Stable codes of {@link ClientFileError}. */
export type ClientFileErrorCode = 'CLIENT_FILE_UNREADABLE' | 'CLIENT_FILE_INVALID';

/** A file of a client cannot be read or edited. The file is unchanged; the message names it, and never its values. */
export class ClientFileError extends Error {
  override readonly name = 'ClientFileError';

  constructor(
    readonly code: ClientFileErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
