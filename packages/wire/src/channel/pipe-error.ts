/** The failure of one side of a channel. */
export class PipeError extends Error {
  override readonly name = 'PipeError';

  constructor(
    /** `input` transfers the peer's lines to mcpmux, `output` transfers mcpmux's lines to the peer. */
    readonly side: 'input' | 'output',
    problem: string,
    options?: ErrorOptions,
  ) {
    super(problem, options);
  }
}
