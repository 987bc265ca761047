/** The maximum number of ways in which a pattern may be matched with a text. They take some milliseconds. */
const MAX_WAYS = 5e6;
/** A quantifier at the beginning of a text. */
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/;

/**
 * True if a text matches a server's pattern. A pattern is not tried if it could keep the page busy for long, or if it
 * is not a valid regular expression. The server checks the text in these cases.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  if (waysOf(pattern, text.length) > MAX_WAYS) return true;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/**
 * Returns an upper bound on the number of ways in which a pattern can be matched with a text. The bound is infinite for
 * a repeated group that contains a choice.
 */
function waysOf(pattern: string, length: number): number {
  // The start of the match is also a choice, unless the pattern is anchored.
  const begins = pattern.startsWith('^') ? 1 : length + 1;
  const groups: { ways: number; alternatives: number }[] = [{ ways: begins, alternatives: 1 }];
  let rest = pattern.replaceAll(/\\[^\dk]|\[(?:\\.|[^\]\\])*\]/g, 'x');
  // The remaining backslashes are group references.
  if (rest.includes('\\')) return Infinity;
  while (rest !== '') {
    const sign = rest[0];
    rest = rest.slice(1);
    if (sign === '(') groups.push({ ways: 1, alternatives: 1 });
    else {
      const inner = sign === ')' ? groups.pop() : undefined;
      const outer = groups.at(-1);
      if (outer === undefined) return Infinity;
      if (sign === '|') outer.alternatives += 1;
      const ways = inner === undefined ? 1 : inner.ways * inner.alternatives;
      const quantifier = QUANTIFIER.exec(rest);
      rest = rest.slice(quantifier?.[0].length ?? 0);
      const { counts, most } = repetitions(quantifier, length);
      if (ways > 1 && most > 1) return Infinity;
      outer.ways *= ways * counts;
    }
  }
  const [{ ways, alternatives } = { ways: Infinity, alternatives: 1 }] = groups;
  return groups.length === 1 ? ways * alternatives : Infinity;
}

/** Returns the number of repetition counts that a quantifier allows, and the highest count. */
function repetitions(quantifier: RegExpExecArray | null, length: number) {
  if (quantifier === null) return { counts: 1, most: 1 };
  const [sign, least, comma, most] = quantifier;
  if (sign.startsWith('?')) return { counts: 2, most: 1 };
  if (least === undefined || (comma !== undefined && most === ''))
    return { counts: length + 1, most: Infinity };
  const highest = comma === undefined ? Number(least) : Number(most);
  return { counts: Math.max(1, Math.min(length, highest) - Number(least) + 1), most: highest };
}
