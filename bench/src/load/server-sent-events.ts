import type { ScannedLine } from './scanned-line.js';

const DATA = 'data: ';

/** Handles the lines of an event stream: only those with data, and of them only the data. */
export function onDataLine(handle: (data: ScannedLine) => void): (line: ScannedLine) => void {
  return (line) => {
    if (line.startsWith(DATA)) handle(line.skip(DATA.length));
  };
}
