// The trips as text for a terminal.
import { dirname } from 'node:path/posix';

/** The number of files and functions of a trip. */
export function countsOf({ name, files }) {
  return { name, files: files.length, functions: functionsIn(files) };
}

/** Package and folder of a source, such as `core/wire`. */
function roomOf(file) {
  return dirname(file.replace(/^packages\//, '').replace('/src/', '/'));
}

/** The table of all trips, for a terminal. */
export function table(trips) {
  const rows = trips.map((trip) => countsOf(trip));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name, files, functions) =>
    `${name.padEnd(width)}  ${String(files).padStart(5)}  ${String(functions).padStart(9)}\n`;
  const lines = rows.map(({ name, files, functions }) => line(name, files, functions));
  return line('trip', 'files', 'functions') + lines.join('');
}

/** Rooms, files and functions of a trip, for a terminal. */
export function list(trip) {
  const lines = rooms(trip.files).flatMap(({ room, files }) =>
    [`  ${room}: ${size(files)}`].concat(
      files.map(({ file, functions }) => `    ${file}: ${named(functions).join(', ')}`),
    ),
  );
  return `\n${trip.name}\n${lines.join('\n')}\n`;
}

/** Names of functions, each once; those without one are counted at the end. */
function named(functions) {
  const names = [...new Set(functions.filter((name) => name !== ''))];
  const unnamed = functions.filter((name) => name === '').length;
  return unnamed === 0 ? names : [...names, `${unnamed} unnamed`];
}

function rooms(files) {
  const names = new Set(files.map(({ file }) => roomOf(file)));
  return [...names].map((room) => ({ room, files: files.filter(({ file }) => roomOf(file) === room) }));
}

function size(files) {
  return `${counted(files.length, 'file')}, ${counted(functionsIn(files), 'function')}`;
}

function counted(number, noun) {
  return `${number} ${number === 1 ? noun : `${noun}s`}`;
}

function functionsIn(files) {
  return files.reduce((sum, { functions }) => sum + functions.length, 0);
}
