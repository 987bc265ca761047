/** Shorter values hide nothing that matters, and would match everywhere. */
const MIN_SECRET_LENGTH = 6;
/** The replacement text of a secret. */
export const REDACTED = '[redacted]';

/**
 * Removes known secrets from text that mcpmux shows: verbatim, line by line, and in the encodings in which programs
 * print them (URL, base64, JSON).
 */
export class Redactor {
  private readonly forms: readonly string[];

  /** @param secrets - the values to hide; values of fewer than 6 characters are ignored */
  constructor(secrets: Iterable<string>) {
    const forms = new Set([...secrets].flatMap(linesOf).flatMap(formsOf).filter(isLongEnough));
    // Longest first: a secret that is part of a longer one must not split the longer one.
    this.forms = [...forms].toSorted((a, b) => b.length - a.length);
  }

  redact(text: string): string {
    return this.forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
  }
}

/** The whole value, and each of its lines: stderr is shown line by line. */
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
  // An environment holds bytes: invalid UTF-8 was replaced already, so nothing here can throw.
  return encodeURIComponent(Buffer.from(secret).toString());
}

function isLongEnough(form: string): boolean {
  return form.length >= MIN_SECRET_LENGTH;
}
