import type { ServerConfig } from '@mcpmux/core';

/** The problem with a `${cmd:...}` placeholder in the config entry of a server that an agent has added. */
export const AGENT_COMMAND_REFUSAL =
  'a server that an agent has added runs no command for a value: check the entry, and remove addedByAgent from it';

/** The commands of one server's `${cmd:...}` placeholders, by placeholder text. */
export class CommandLines {
  private readonly commands = new Map<string, readonly string[]>();
  /** One element per occurrence, so a repeated placeholder appears more than once. */
  private readonly placeholders: string[] = [];

  /** @param refusal the reason why the server must not run commands, if any */
  constructor(private readonly refusal: string | undefined) {}

  get asConfig(): Pick<ServerConfig, 'commands'> {
    return this.commands.size === 0 ? {} : { commands: Object.fromEntries(this.commands) };
  }

  /** Adds the command line of a placeholder. Returns a reason if the command line cannot be used. */
  addLine(line: string): string | undefined {
    if (this.refusal !== undefined) return this.refusal;
    if (line.includes('${'))
      return 'the command of ${cmd:...} has a placeholder, which is not replaced: write its value';
    const words = commandWords(line);
    if (words === undefined) return 'a quote of the command of ${cmd:...} is not closed';
    if (words.length === 0) return '${cmd:...} has no command: ${cmd:op read op://vault/item/field}';
    const placeholder = `\${cmd:${line}}`;
    this.commands.set(placeholder, words);
    this.placeholders.push(placeholder);
    return undefined;
  }

  /** Returns a reason if a value also contains a placeholder's text literally, because that would be replaced too. */
  clashReason(values: readonly string[]): string | undefined {
    const countOccurrences = (text: string): number =>
      values.reduce((sum, value) => sum + value.split(text).length - 1, 0);
    const hasNoClash = [...this.commands.keys()].every(
      (text) => countOccurrences(text) <= this.placeholders.filter((one) => one === text).length,
    );
    return hasNoClash ? undefined : CLASH_REASON;
  }
}

const CLASH_REASON =
  'a value has the text of a ${cmd:...} of this entry, which is no placeholder there, and the output of the command ' +
  'would replace it: write one more space into the ${cmd:...}';

/** Matches quoted text, an escaped quote, backslash or space, or any other character except a quote or whitespace. */
const WORD_PART = /'([^']*)'|"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"|\\(["'\\\s])|([^\s'"])/y;

/**
 * Splits a command line into words. Returns undefined if a quote is not closed. Quotes and backslashes work as in a
 * shell, but a backslash before a letter is literal, as in Windows paths.
 */
export function commandWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length;) {
    WORD_PART.lastIndex = at;
    const match = WORD_PART.exec(line);
    if (match === null && !/\s/.test(line[at] ?? '')) return undefined;
    if (match === null) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const [whole, single, double, escaped, plain = ''] = match;
    word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? plain);
    at += whole.length;
  }
  return word === undefined ? words : [...words, word];
}
