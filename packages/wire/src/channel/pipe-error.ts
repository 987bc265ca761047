/** One side of a channel has failed: which, and how. */
export class PipeError extends Error {
  override readonly name = 'PipeError';

  constructor(
    /** `input` carries the peer's lines to us, `output` ours to the peer. */
    readonly side: 'input' | 'output',
    problem: string,
    options?: ErrorOptions,
  ) {
    super(problem, options);
  }
}
