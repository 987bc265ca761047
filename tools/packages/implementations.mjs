// Finds the interfaces that hide a single class. Types that hosts implement are literals or classes of their own.
const IMPLEMENTS = /\bclass \w+[^{]*?\bimplements ([^{]+)\{/g;

/** The names of the interfaces that one class implements, and nothing else: neither another class nor a literal. */
export function singleImplementations(texts) {
  const names = texts.flatMap((text) => [...text.matchAll(IMPLEMENTS)].flatMap(([, list]) => namesIn(list)));
  const once = names.filter((name) => names.indexOf(name) === names.lastIndexOf(name));
  return once.filter((name) => isDeclared(name, texts) && !isLiteral(name, texts));
}

function namesIn(list) {
  return list
    .replaceAll(/<[^>]*>/g, '')
    .split(',')
    .map((name) => name.trim());
}

function isDeclared(name, texts) {
  return texts.some((text) => text.includes(`interface ${name} `) || text.includes(`interface ${name}<`));
}

/** True if a function returns an object of the type, or a constant has it. */
function isLiteral(name, texts) {
  const type = `:\\s*(?:Promise<)?${name}(?:<[^>]*>)?>?`;
  const begin = '\\s*(?:=>\\s*[({]|\\{\\s*\\n|= (?:Object\\.freeze\\()?\\{)';
  const literal = new RegExp(`${type}${begin}|satisfies ${name}\\b`);
  return texts.some((text) => literal.test(text));
}
