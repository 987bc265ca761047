import { MuxError } from '@mcpmux/kit';

/** Matches an argument that cmd.exe and the programs it starts read unchanged. All other arguments are quoted. */
const PLAIN_ARGUMENT = /^[\w#$*+\-./:?@\\]+$/;
/** Matches characters that a batch file's arguments cannot contain. */
const FORBIDDEN_CHARACTER = /[\0\r\n]/;
/** Begins an expansion that yields an empty string. The next percent sign ends it instead of beginning a variable. */
const EMPTY_EXPANSION_START = '%%cd:~,';

/**
 * Returns the arguments with which cmd.exe runs a batch file. They must be passed on unchanged
 * (`windowsVerbatimArguments`).
 *
 * cmd.exe parses the line twice, the second time where the file contains `%*`. Double quotes protect an argument in
 * both passes. `^` is not used, because the number of escapes would depend on the number of passes. Rust's standard
 * library follows the same rules (`make_bat_command_line`, since CVE-2024-24576).
 *
 * @throws MuxError COMMAND_NOT_EXECUTABLE if an argument has a line break or a null byte
 */
export function batchArguments(file: string, args: readonly string[]): readonly string[] {
  const words = [quoteText(file), ...args.map((arg, index) => checkAndQuote(file, arg, index))];
  // `%cd:~,%` needs extensions. Delayed expansion is off, so that `!` is literal. `/s` removes only the outer quotes.
  return ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${words.join(' ')}"`];
}

function checkAndQuote(file: string, arg: string, index: number): string {
  if (FORBIDDEN_CHARACTER.test(arg)) {
    const problem = `argument ${index + 1} has a line break or a null byte, which no batch file can be given`;
    const message = `command ${JSON.stringify(file)} cannot be executed: ${problem}. Start its program itself.`;
    throw new MuxError('COMMAND_NOT_EXECUTABLE', message, { data: { command: file } });
  }
  return PLAIN_ARGUMENT.test(arg) && !arg.endsWith('\\') ? arg : quoteText(arg);
}

/**
 * Quotes a text. Within quotes, programs read `""` as one quote, and two backslashes before a quote as one backslash.
 */
function quoteText(text: string): string {
  const escaped = text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) =>
    slashes.repeat(2).concat(quote.repeat(2)),
  );
  return `"${escaped.replaceAll('%', `${EMPTY_EXPANSION_START}%`)}"`;
}
