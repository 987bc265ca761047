type Paint = (text: string) => string;

/** What marks text on a terminal; each leaves text as it is where colours are off. */
export interface Colours {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Colours for a stream: off unless it is a terminal; `FORCE_COLOR`, `NO_COLOR` and `TERM=dumb` are honoured. */
export function colours(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Colours {
  const isOn = hasColours(isTerminal, environment);
  const paint =
    ([open, close]: readonly [number, number]): Paint =>
    (text) =>
      isOn ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
    cyan: paint(CODES.cyan),
  };
}

function hasColours(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = environment;
  if (no !== undefined && no !== '') return false;
  if (force !== undefined && force !== '') return force !== '0';
  return isTerminal && term !== 'dumb';
}
