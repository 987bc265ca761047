import { inspect } from 'node:util';

import { styleCode } from '../base/terminal-text.js';

type Paint = (text: string) => string;

/** Functions that style text for a terminal. If colours are off, each function returns its text unchanged. */
export type Colours = Readonly<Record<(typeof STYLES)[number], Paint>>;

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Returns the styles, by default on only for a terminal. Respects `FORCE_COLOR`, `NO_COLOR` and `TERM=dumb`. */
export function colours(
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): Colours {
  const isOn = hasColours(isTerminal, environment);
  const paint = (style: (typeof STYLES)[number]): Paint => {
    const [on, off] = inspect.colors[style] ?? [0, 0];
    return isOn ? (text) => `${styleCode(on)}${text}${styleCode(off)}` : (text) => text;
  };
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    cyan: paint('cyan'),
  };
}

function hasColours(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = environment;
  if (no !== undefined && no !== '') return false;
  if (force !== undefined && force !== '') return force !== '0';
  return isTerminal && term !== 'dumb';
}
