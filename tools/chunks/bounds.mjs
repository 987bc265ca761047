// Compares the measured chunks with their bounds.

const KILOBYTE = 1000;

/** What is above its bound, a sentence each. */
export function problemsOf({ chunks, start, builtins, unpacked }, bounds) {
  const allowed = new Set([...bounds.start.chunks, ...bounds.start.builtins]);
  return [
    ...chunks.flatMap(({ name, bytes }) =>
      above(`chunk ${name}`, bytes, bounds.chunks[name] ?? bounds.other),
    ),
    ...above('all chunks together', sumOf(chunks), bounds.total),
    ...above('the chunks before the answer to initialize', sumOf(start), bounds.start.total),
    ...above('the package, unpacked', unpacked, bounds.unpacked),
    ...[...start.map(({ name }) => name), ...builtins]
      .filter((name) => !allowed.has(name))
      .map((name) => `serve loads ${name} before it answers initialize: load it later`),
  ];
}

/** The bounds, lowered to what is measured. None is raised. */
export function lowered({ chunks, start, builtins }, bounds) {
  const names = new Set(start.map(({ name }) => name));
  const large = chunks.filter(({ bytes }) => bytes > bounds.other);
  return {
    unpacked: bounds.unpacked,
    other: bounds.other,
    total: lower(sumOf(chunks), bounds.total),
    start: {
      total: lower(sumOf(start), bounds.start.total),
      chunks: bounds.start.chunks.filter((name) => names.has(name)),
      builtins: bounds.start.builtins.filter((name) => builtins.includes(name)),
    },
    chunks: Object.fromEntries(
      large
        .filter(({ name }) => Object.hasOwn(bounds.chunks, name))
        .map(({ name, bytes }) => [name, lower(bytes, bounds.chunks[name])]),
    ),
  };
}

/** The bounds of what is measured. */
export function written({ chunks, start, builtins }, { other, unpacked }) {
  const large = chunks.filter(({ bytes }) => bytes > other);
  return {
    unpacked,
    other,
    total: rounded(sumOf(chunks)),
    start: { total: rounded(sumOf(start)), chunks: start.map(({ name }) => name).toSorted(), builtins },
    chunks: Object.fromEntries(large.map(({ name, bytes }) => [name, rounded(bytes)])),
  };
}

function lower(bytes, bound) {
  return Math.min(bound, rounded(bytes));
}

function rounded(bytes) {
  return Math.ceil(bytes / KILOBYTE) * KILOBYTE;
}

function above(what, bytes, bound) {
  return bytes > bound ? [`${what}: ${bytes} bytes, at most ${bound} are allowed`] : [];
}

function sumOf(chunks) {
  return chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}
