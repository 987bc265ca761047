/** Returns the local time of day, such as `12:03:59`. */
export function clockTime(time: number): string {
  const date = new Date(time);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
