/** Colours of a terminal: the background, the text, faint text, and the eight colours of ANSI in their order. */
const THEMES = {
  light: {
    background: '#ffffff',
    border: '#d1d9e0',
    text: '#1f2328',
    faint: '#59636e',
    colors: ['#1f2328', '#b3202c', '#116329', '#7d4e00', '#0757ba', '#6d3ec9', '#0f656c', '#59636e'],
  },
  dark: {
    background: '#0d1117',
    border: '#3d444d',
    text: '#e6edf3',
    faint: '#9198a1',
    colors: ['#e6edf3', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#9198a1'],
  },
};

/** What WCAG 2.2 asks of text (1.4.3, level AA). */
const MIN_CONTRAST = 4.5;

/** A theme whose every colour can be read on its background. */
export function theme(name) {
  const chosen = THEMES[name];
  for (const color of [chosen.text, chosen.faint, ...chosen.colors]) {
    const contrast = contrastOf(color, chosen.background);
    if (contrast < MIN_CONTRAST)
      throw new Error(`${name}: ${color} has a contrast of ${contrast.toFixed(2)}`);
  }
  return chosen;
}

function contrastOf(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
