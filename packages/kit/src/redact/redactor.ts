import type { SplitText, TextMask } from '../text-mask.js';

/** Values with fewer characters are not hidden, because they would match everywhere. */
const MIN_SECRET_LENGTH = 6;
/** The replacement for a secret. */
export const REDACTED = '[redacted]';

/**
 * Removes known secrets from text that mcpmux shows: verbatim, line by line, and in the encodings in which programs
 * print them (URL, base64, JSON).
 */
export class Redactor implements TextMask {
  private readonly secretForms: readonly string[];
  /** One less than the length of the longest form. No secret extends further after its first character. */
  private readonly maxTailLength: number;

  /** @param secrets - the values to hide; values of fewer than 6 characters are ignored */
  constructor(secrets: Iterable<string>) {
    this.secretForms = [
      ...new Set([...secrets].flatMap(valueAndLines).flatMap(encodedForms).filter(isLongEnough)),
    ];
    this.maxTailLength = Math.max(0, ...this.secretForms.map((form) => form.length - 1));
  }

  redact(text: string): string {
    let shown = '';
    let done = 0;
    for (const { start, end } of this.secretRanges(text)) {
      shown += text.slice(done, start) + REDACTED;
      done = end;
    }
    return done === 0 ? text : shown + text.slice(done);
  }

  split(text: string, length: number, isWhole: boolean): SplitText | undefined {
    // The split is at least two secret lengths from the start, because the rest may begin one before the split.
    const splitAt = Math.max(length, 2 * this.maxTailLength);
    if (text.length <= splitAt + (isWhole ? 0 : this.maxTailLength)) return undefined;
    const rangesAtSplit = this.rangesAcross(text, splitAt);
    const end = Math.max(splitAt, ...rangesAtSplit.map((range) => range.end));
    // The secret that ends last is in both parts. Each other secret is completely in one part.
    const lastStarts = rangesAtSplit.filter((range) => range.end === end).map((range) => range.start);
    const rest = lastStarts.length === 0 ? splitAt : Math.min(...lastStarts);
    return { shown: this.redact(text.slice(0, end)), rest: text.slice(rest) };
  }

  /** Returns the ranges of the secrets in a text, in order. Overlapping secrets form one range. */
  private secretRanges(text: string): readonly SecretRange[] {
    const ranges = this.secretForms.flatMap((form) => rangesOf(form, text));
    const mergedRanges: SecretRange[] = [];
    for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
      const lastRange = mergedRanges.at(-1);
      if (lastRange === undefined || range.start >= lastRange.end) mergedRanges.push({ ...range });
      else lastRange.end = Math.max(lastRange.end, range.end);
    }
    return mergedRanges;
  }

  /** Returns the ranges of the secrets that begin before a split and end after it. */
  private rangesAcross(text: string, splitAt: number): readonly SecretRange[] {
    const offset = Math.max(0, splitAt - this.maxTailLength);
    const surroundings = text.slice(offset, splitAt + this.maxTailLength);
    return this.secretForms
      .flatMap((form) => rangesOf(form, surroundings))
      .map(({ start, end }) => ({ start: start + offset, end: end + offset }))
      .filter(({ start, end }) => start < splitAt && end > splitAt);
  }
}

/** The half-open range of a secret in a text. */
interface SecretRange {
  readonly start: number;
  end: number;
}

/** Returns every range in which a form occurs in a text, including overlapping ranges. */
function rangesOf(form: string, text: string): readonly SecretRange[] {
  const ranges: SecretRange[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1))
    ranges.push({ start, end: start + form.length });
  return ranges;
}

/** Returns the whole value and each of its lines, because stderr is displayed line by line. */
function valueAndLines(secret: string): readonly string[] {
  return [secret, ...secret.split(/\r?\n/)];
}

function encodedForms(secret: string): readonly string[] {
  if (!isLongEnough(secret)) return [];
  const bytes = Buffer.from(secret);
  const padded = bytes.toString('base64');
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, urlForm(secret), padded, padded.replace(/=+$/, ''), bytes.toString('base64url'), json];
}

function urlForm(secret: string): string {
  // This conversion replaces lone surrogates, so `encodeURIComponent` cannot throw.
  return encodeURIComponent(Buffer.from(secret).toString());
}

function isLongEnough(form: string): boolean {
  return form.length >= MIN_SECRET_LENGTH;
}
