/** A half-open range of bytes `[start, end)` inside one line. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
