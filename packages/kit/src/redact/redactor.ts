import type { SplitText, TextMask } from '../text-mask.js';

/** Shorter values are not hidden, because they would match everywhere. */
const MIN_SECRET_LENGTH = 6;
/** The replacement for a secret. */
export const REDACTED = '[redacted]';

/**
 * Removes known secrets from text that mcpmux shows: verbatim, line by line, and in the encodings in which programs
 * print them (URL, base64, JSON).
 */
export class Redactor implements TextMask {
  private readonly forms: readonly string[];
  /** One less than the length of the longest form. A secret extends at most this far after its first character. */
  private readonly reach: number;

  /** @param secrets - the values to hide; values of fewer than 6 characters are ignored */
  constructor(secrets: Iterable<string>) {
    this.forms = [...new Set([...secrets].flatMap(linesOf).flatMap(formsOf).filter(isLongEnough))];
    this.reach = Math.max(0, ...this.forms.map((form) => form.length - 1));
  }

  redact(text: string): string {
    let shown = '';
    let done = 0;
    for (const { start, end } of this.secretPlaces(text)) {
      shown += text.slice(done, start) + REDACTED;
      done = end;
    }
    return done === 0 ? text : shown + text.slice(done);
  }

  split(text: string, length: number, isWhole: boolean): SplitText | undefined {
    // The split is at least two secret lengths after the start, because the rest may begin one secret length before the
    // split.
    const at = Math.max(length, 2 * this.reach);
    if (text.length <= at + (isWhole ? 0 : this.reach)) return undefined;
    const crossing = this.placesAcross(text, at);
    const end = Math.max(at, ...crossing.map((place) => place.end));
    // The secret that ends last is in both parts. Every other secret is completely in one part.
    const last = crossing.filter((place) => place.end === end).map((place) => place.start);
    const rest = last.length === 0 ? at : Math.min(...last);
    return { shown: this.redact(text.slice(0, end)), rest: text.slice(rest) };
  }

  /** Returns the ranges of the secrets in a text, in order. Overlapping secrets form one range. */
  private secretPlaces(text: string): readonly Place[] {
    const places = this.forms.flatMap((form) => placesOf(form, text));
    const merged: Place[] = [];
    for (const place of places.toSorted((a, b) => a.start - b.start)) {
      const last = merged.at(-1);
      if (last === undefined || place.start >= last.end) merged.push({ ...place });
      else last.end = Math.max(last.end, place.end);
    }
    return merged;
  }

  /** Returns the ranges of the secrets that begin before a split and end after it. */
  private placesAcross(text: string, at: number): readonly Place[] {
    const from = Math.max(0, at - this.reach);
    const surroundings = text.slice(from, at + this.reach);
    return this.forms
      .flatMap((form) => placesOf(form, surroundings))
      .map(({ start, end }) => ({ start: start + from, end: end + from }))
      .filter(({ start, end }) => start < at && end > at);
  }
}

/** The half-open range of a secret in a text. */
interface Place {
  readonly start: number;
  end: number;
}

/** Returns every range of a form, including overlapping ranges. */
function placesOf(form: string, text: string): readonly Place[] {
  const places: Place[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1))
    places.push({ start, end: start + form.length });
  return places;
}

/** Returns the whole value and each of its lines, because stderr is shown line by line. */
function linesOf(secret: string): readonly string[] {
  return [secret, ...secret.split(/\r?\n/)];
}

function formsOf(secret: string): readonly string[] {
  if (!isLongEnough(secret)) return [];
  const bytes = Buffer.from(secret);
  const padded = bytes.toString('base64');
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, urlForm(secret), padded, padded.replace(/=+$/, ''), bytes.toString('base64url'), json];
}

function urlForm(secret: string): string {
  // The conversion replaces a lone surrogate, so `encodeURIComponent` cannot throw.
  return encodeURIComponent(Buffer.from(secret).toString());
}

function isLongEnough(form: string): boolean {
  return form.length >= MIN_SECRET_LENGTH;
}
