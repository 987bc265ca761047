import { theme } from './theme.mjs';

const CELL = 8.4;
const LINE = 19;
const MARGIN = 16;
const FONT = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';

/**
 * A picture that plays frames, `{ rows, ms }` each, again and again. It follows the theme of the reader, and shows the last
 * frame alone to who wants no motion.
 */
export function recordingOf(frames, { columns, rows, title }) {
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  const shown = visibleLines(frames);
  const styles = shown.map(({ from, to }, index) => animation(index, { from, to, total }));
  const body = shown.map(({ row, y, to }, index) => {
    const isLast = to === total ? ' class="last"' : '';
    return `<g id="l${index}"${isLast}>${textLine(row, baseline(y))}</g>`;
  });
  const style = [
    colorsOf('light'),
    `@media (prefers-color-scheme:dark){${colorsOf('dark')}}`,
    ...styles,
    '@media (prefers-reduced-motion:reduce){g{animation:none!important;visibility:hidden}g.last{visibility:visible}}',
  ];
  return svg({ columns, rows, title, style: style.join('\n'), body });
}

/** Each line that stays the same over several frames is drawn once, for all of that time. */
function visibleLines(frames) {
  const done = [];
  let open = [];
  let now = 0;
  for (const { rows, ms } of frames) {
    const next = rows.map((row, y) => {
      const before = open[y];
      const key = JSON.stringify(row);
      return before?.key === key ? before : { row, key, y, from: now };
    });
    for (const line of open) if (next[line.y] !== line) done.push({ ...line, to: now });
    open = next;
    now += ms;
  }
  const last = open.map(({ row, y, from }) => ({ row, y, from, to: now }));
  return [...done, ...last].filter(({ row }) => row.length > 0);
}

function animation(index, { from, to, total }) {
  const [begin, end] = [from, to].map((ms) => ((100 * ms) / total).toFixed(2));
  const hidden = [
    from > 0 ? `0%,${begin}%{visibility:hidden}` : '',
    to < total ? `${end}%,to{visibility:hidden}` : '',
  ];
  const visible = `${from > 0 ? `${(Number(begin) + 0.01).toFixed(2)}%` : '0%'},${
    to < total ? `${(Number(end) - 0.01).toFixed(2)}%` : 'to'
  }{visibility:visible}`;
  return `@keyframes k${index}{${hidden[0]}${visible}${hidden[1]}}#l${index}{animation:k${index} ${total}ms step-end infinite}`;
}

function svg({ columns, rows, title, style, body }) {
  const width = Math.ceil(columns * CELL + 2 * MARGIN);
  const height = Math.ceil(rows * LINE + 2 * MARGIN);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:14px ${FONT};white-space:pre}\n${style}</style>`,
    `<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}

function colorsOf(name) {
  const { background, border, text, faint, colors } = theme(name);
  const ansi = colors.map((color, index) => `.c${index}{fill:${color}}`).join('');
  return `.window{fill:${background};stroke:${border}}text{fill:${text}}.faint{fill:${faint}}.bold{font-weight:700}${ansi}.mark{fill:${text}}.on-mark{fill:${background}}`;
}

function baseline(y) {
  return MARGIN + y * LINE + 14;
}

/** A line as runs of one style, each with its own place: fonts differ in width. */
function textLine(row, y) {
  const parts = runsOf(row).map(({ text, style, at }) => {
    const place = `x="${placed(MARGIN + at * CELL)}" textLength="${placed([...text].length * CELL)}"`;
    const classes = classesOf(style);
    const mark = style.inverse ? marked({ text, at, y }) : '';
    const className = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
    return `${mark}<text ${place} y="${y}"${className}>${escaped(text)}</text>`;
  });
  return parts.join('');
}

function marked({ text, at, y }) {
  return `<rect class="mark" x="${placed(MARGIN + at * CELL)}" y="${y - 14}" width="${placed([...text].length * CELL)}" height="${LINE}"/>`;
}

function runsOf(row) {
  const runs = [];
  for (const [at, { char, style }] of row.entries()) {
    const last = runs.at(-1);
    const key = JSON.stringify(style);
    if (last?.key === key) last.text += char;
    else runs.push({ text: char, style, key, at });
  }
  return runs.flatMap(trimmed);
}

/** Without the spaces around it; a run of spaces alone is not drawn, unless it is marked. */
function trimmed(run) {
  if (run.style.inverse) return [run];
  const start = run.text.length - run.text.trimStart().length;
  const text = run.text.trim();
  return text === '' ? [] : [{ ...run, text, at: run.at + start }];
}

function classesOf({ color, bold, dim, inverse }) {
  const weight = bold ? ['bold'] : [];
  if (inverse) return ['on-mark', ...weight];
  if (color === GREY || (color === undefined && dim)) return ['faint'];
  return color === undefined ? weight : [`c${color % 8}`, ...weight];
}

/** Bright black of ANSI. */
const GREY = 8;

function placed(value) {
  return String(Number(value.toFixed(1)));
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
