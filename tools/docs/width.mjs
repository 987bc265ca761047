const MAX_COLUMNS = 100;
/** Texts of licences, which a program copies. */
const COPIED = /(?:^|\/)THIRD-PARTY-NOTICES\.md$/;
const FENCED = /^ *(`{3,}).*?^ *\1$/gms;
const LINE_BREAK = /[^\n]/g;
const TABLE_ROW = /^\s*\|/;
const HEADING = /^#+ /;
/** A list marker, a quotation or an indent, and one word or link behind it. */
const UNBREAKABLE = /^\s*(?:[-*>]|\d+\.)?\s*(?:\S+|\[[^\]]*\]\(\S+\)\S*)$/;

/** The lines of prose that are longer than 100 columns. Tables, headings, fenced code and unbreakable text may be wider. */
export function widthProblems(pages) {
  return pages
    .filter(({ path }) => !COPIED.test(path))
    .flatMap(({ path, text }) =>
      // emptied lines keep the numbers of those behind them
      text
        .replaceAll(FENCED, (code) => code.replaceAll(LINE_BREAK, ''))
        .split('\n')
        .flatMap((line, index) => tooWide(line).map((columns) => wide(path, index + 1, columns))),
    );
}

function wide(path, line, columns) {
  return `${path}:${line}: ${columns} columns; wrap it at ${MAX_COLUMNS}`;
}

function tooWide(line) {
  const columns = Array.from(line).length;
  const isExempt = TABLE_ROW.test(line) || HEADING.test(line) || UNBREAKABLE.test(line);
  return columns <= MAX_COLUMNS || isExempt ? [] : [columns];
}
