/** Returns the local time of day, such as `12:03:59`. */
export function clockTime(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB');
}
