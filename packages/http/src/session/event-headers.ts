/** An event stream's headers, with names and values alternating. */
export const EVENT_HEADERS: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];
