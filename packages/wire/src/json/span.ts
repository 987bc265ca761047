/** A half-open range of bytes `[start, end)` in one line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
