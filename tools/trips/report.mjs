// The trips as text: for a terminal, and as the part of a Markdown page between two markers.
import { dirname } from 'node:path/posix';

import { format, resolveConfig } from 'prettier';

const BEGIN = '<!-- trips -->';
const END = '<!-- /trips -->';
/** The trips whose files the page lists; of the others it has the counts alone. */
const WALKED = new Set(['tools/call', 'elicitation/create']);
const WIDTH = 100;

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

/** The text of a page with the trips as they are now. */
export async function written(text, trips, page) {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`${page} has no ${BEGIN} … ${END}`);
  const options = await resolveConfig(page);
  const section = await format(markdown(trips), { ...options, parser: 'markdown' });
  return `${text.slice(0, begin)}${BEGIN}\n\n${section}\n${text.slice(end)}`;
}

function markdown(trips) {
  const rows = trips.map((trip) => countsOf(trip));
  const lines = rows.map(({ name, files, functions }) => `| \`${name}\` | ${files} | ${functions} |`);
  const walked = trips.filter(({ name }) => WALKED.has(name));
  return ['| trip | files | functions |', '| - | -: | -: |', ...lines, ...walked.flatMap(hops)].join('\n');
}

function hops({ name, files }) {
  const lines = rooms(files).flatMap(({ room, files: its }) =>
    [`- **${room}**: ${size(its)}`].concat(its.map((entered) => hop(entered))),
  );
  return ['', `### \`${name}\``, '', ...lines];
}

function hop({ file, functions }) {
  const words = [`\`${file.slice(file.lastIndexOf('/') + 1)}\`:`];
  const names = named(functions).map((name) => (name.endsWith('unnamed') ? name : `\`${name}\``));
  words.push(...names.join(', ').split(/(?<=,) /));
  return wrapped('  - ', words);
}

/** Words in lines, the further ones indented like the text of the first. */
function wrapped(lead, words) {
  const lines = [];
  let line = lead.trimEnd();
  for (const word of words) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ' '.repeat(lead.length - 1);
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
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
