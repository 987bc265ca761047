/** The headers of an event stream, as alternating names and values. */
export const EVENT_HEADERS: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];
