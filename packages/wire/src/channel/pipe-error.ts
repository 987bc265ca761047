/** A failure in one direction of a channel. */
export class PipeError extends Error {
  override readonly name = 'PipeError';

  constructor(
    /** `input` carries the peer's lines to mcpmux, and `output` carries mcpmux's lines to the peer. */
    readonly side: 'input' | 'output',
    problem: string,
    options?: ErrorOptions,
  ) {
    super(problem, options);
  }
}
