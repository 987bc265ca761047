import { REDACTED } from './redactor.js';
import { isSecretName } from './secret-name.js';

/** A program's arguments, with likely secrets masked. */
export interface MaskedArgs {
  readonly args: readonly string[];
  /** The masked values, in their original order. */
  readonly secrets: readonly string[];
}

const FLAG = /^--?([\w.-]+)$/;
/** Matches a flag, a variable or a header, up to the start of its value. */
const ASSIGNMENT = /^(?:--?|\/)?([\w.-]+)(?:=|:\s*)/;
/** Matches a name within plain text or JSON, up to its value. The lookbehind keeps the search linear. */
const NAME_BEFORE_VALUE = /(?<![\w.-])([\w.-]+)["']?\s*[=:]\s*(["']?)/g;
const END_OF_VALUE = /[\s"'&;,}\]]/;
const URL_USER = /(?<=:\/\/)[^\s/?#]*(?=@)/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----.*/gs;
const AUTH_SCHEME = /(?<![\w-])(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi;
/** Matches keys whose prefix identifies their issuer. */
const KEY_PATTERN = `(?<![A-Za-z0-9])(?:${[
  String.raw`gh[pousr]_\w{8,}`,
  String.raw`github_pat_\w{8,}`,
  String.raw`glpat-[\w-]{8,}`,
  String.raw`xox[abeoprs]-[\w-]{8,}`,
  String.raw`xapp-[\w-]{8,}`,
  String.raw`[sr]k_(?:live|test)_\w{8,}`,
  String.raw`sk-[\w-]{16,}`,
  String.raw`(?:hf|npm)_[A-Za-z0-9]{16,}`,
  String.raw`pypi-Ag[\w-]{16,}`,
  String.raw`(?:shpat|dop_v1|lin_api|glsa)_\w{16,}`,
  String.raw`(?:ya29|SG)\.[\w.-]{16,}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}`,
  // A dash or dot must not precede the prefix. Otherwise, each prefix in a row would be scanned to the row's end.
  String.raw`(?<![-_.])eyJ[\w-]{8,}\.[\w.-]+`,
].join('|')})`;
const KNOWN_KEY = new RegExp(KEY_PATTERN, 'g');
/** `sk-` also occurs in ordinary words, but a key contains digits or capitals. */
const DIGIT_OR_CAPITAL = /[0-9A-Z]/;
/** A value with a leading dash counts as a flag if it has fewer characters. */
const MIN_DASHED_SECRET_LENGTH = 16;

/**
 * Masks likely secrets in the arguments of a program: the value of `--token`, `--api-key=…`, `PASSWORD=…` or a header,
 * the user and password of a URL, secret parameters of its query, and keys of a well-known form. A secret without a
 * recognizable form is not found. Pass such a secret in the environment instead.
 */
export function maskArgs(args: readonly string[]): MaskedArgs {
  const secrets: string[] = [];
  const masked = args.map((arg, index) => {
    if (isValueOfSecretFlag(args[index - 1], arg)) return maskSecret(arg, secrets);
    return maskText(arg, secrets);
  });
  return { args: masked, secrets };
}

function isValueOfSecretFlag(flag: string | undefined, value: string): boolean {
  const name = flag === undefined ? undefined : FLAG.exec(flag)?.[1];
  if (name === undefined || !isSecretName(name)) return false;
  return !value.startsWith('-') || (!value.startsWith('--') && value.length >= MIN_DASHED_SECRET_LENGTH);
}

function maskText(text: string, secrets: string[]): string {
  const assignment = ASSIGNMENT.exec(text);
  if (assignment !== null && isSecretName(assignment[1] ?? ''))
    return `${assignment[0]}${maskSecret(text.slice(assignment[0].length), secrets)}`;
  const mask = (found: string): string => maskSecret(found, secrets);
  const known = text
    .replaceAll(PRIVATE_KEY, mask)
    .replaceAll(URL_USER, mask)
    .replaceAll(AUTH_SCHEME, (whole: string, value: string) => whole.replace(value, () => mask(value)))
    .replaceAll(KNOWN_KEY, (key) => (isOrdinaryWord(key) ? key : mask(key)));
  return maskPairs(known, secrets);
}

function isOrdinaryWord(key: string): boolean {
  return key.startsWith('sk-') && !DIGIT_OR_CAPITAL.test(key);
}

function maskPairs(text: string, secrets: string[]): string {
  let masked = '';
  let done = 0;
  for (const { 0: whole, 1: name = '', 2: quote = '', index } of text.matchAll(NAME_BEFORE_VALUE)) {
    const start = index + whole.length;
    // The match lies within a value that is already masked.
    if (index < done || !isSecretName(name)) continue;
    const end = findValueEnd(text, start, quote);
    masked += text.slice(done, start) + maskSecret(text.slice(start, end), secrets);
    done = end;
  }
  return masked + text.slice(done);
}

function findValueEnd(text: string, start: number, quote: string): number {
  // The mask itself contains a bracket, which would end the value.
  if (text.startsWith(REDACTED, start)) return start + REDACTED.length;
  const length = quote === '' ? text.slice(start).search(END_OF_VALUE) : text.slice(start).indexOf(quote);
  return length === -1 ? text.length : start + length;
}

function maskSecret(secret: string, secrets: string[]): string {
  if (secret === '') return '';
  if (secret === REDACTED) return secret;
  secrets.push(secret);
  return REDACTED;
}
