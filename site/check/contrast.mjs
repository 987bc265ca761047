/** Runs in the page: the texts whose contrast with their background is below WCAG 2.2 AA, each kind once. */
export function contrastProblems() {
  const NORMAL = 4.5;
  const LARGE = 3;

  function partsOf(color) {
    const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
    return { red, green, blue, alpha };
  }

  function over(front, back) {
    const mixed = (name) => front[name] * front.alpha + back[name] * (1 - front.alpha);
    return { red: mixed('red'), green: mixed('green'), blue: mixed('blue'), alpha: 1 };
  }

  function backgroundOf(element) {
    if (element === null) return { red: 255, green: 255, blue: 255, alpha: 1 };
    const own = partsOf(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own : over(own, backgroundOf(element.parentElement));
  }

  function luminance({ red, green, blue }) {
    const [r, g, b] = [red, green, blue].map((value) => {
      const part = value / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function contrast(one, other) {
    const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  }

  function hasOwnText(element) {
    return [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
    );
  }

  const problems = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (!hasOwnText(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      continue;
    const style = getComputedStyle(element);
    const background = backgroundOf(element);
    const ratio = contrast(over(partsOf(style.color), background), background);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio >= (isLarge ? LARGE : NORMAL)) continue;
    const name = `${element.tagName.toLowerCase()}.${element.classList.value.replaceAll(' ', '.')}`;
    problems.add(
      `${name} ${style.color} has a contrast of ${ratio.toFixed(2)}: ${element.textContent.trim().slice(0, 40)}`,
    );
  }
  return [...problems].slice(0, 20);
}
