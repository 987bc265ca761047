import { MuxError } from '@mcpmux/kit';

/** An argument that cmd.exe and the programs behind it read as it is. Every other argument is quoted. */
const PLAIN = /^[\w#$*+\-./:?@\\]+$/;
/** The characters that no argument of a batch file can have. */
const UNSPEAKABLE = /[\0\r\n]/;
/** The beginning of a variable without characters. The percent sign after it ends that variable, and begins none. */
const NOTHING = '%%cd:~,';

/**
 * Returns the arguments by which cmd.exe runs a batch file. They must be passed on as they are
 * (`windowsVerbatimArguments`).
 *
 * cmd.exe reads the line twice: itself, and again where the file contains `%*`. Double quotes protect from both
 * readings, so nothing is escaped with `^`, which would need to know the number of readings. The standard
 * library of Rust has the same rules (`make_bat_command_line`, since CVE-2024-24576).
 *
 * @throws MuxError COMMAND_NOT_EXECUTABLE if an argument has a line break or a null byte
 */
export function batchArguments(file: string, args: readonly string[]): readonly string[] {
  const words = [quoted(file), ...args.map((arg, index) => argument(file, arg, index))];
  // Extensions on, for `%cd:~,%`; delayed expansion off, so that `!` is itself. `/s` removes the outer quotes alone.
  return ['/e:ON', '/v:OFF', '/d', '/s', '/c', `"${words.join(' ')}"`];
}

function argument(file: string, arg: string, index: number): string {
  if (UNSPEAKABLE.test(arg)) {
    const problem = `argument ${index + 1} has a line break or a null byte, which no batch file can be given`;
    const message = `command ${JSON.stringify(file)} cannot be executed: ${problem}. Start its program itself.`;
    throw new MuxError('COMMAND_NOT_EXECUTABLE', message, { data: { command: file } });
  }
  return PLAIN.test(arg) && !arg.endsWith('\\') ? arg : quoted(arg);
}

/** Programs read `""` within quotes as one quote; backslashes before a quote count double. */
function quoted(text: string): string {
  const escaped = text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) =>
    slashes.repeat(2).concat(quote.repeat(2)),
  );
  return `"${escaped.replaceAll('%', `${NOTHING}%`)}"`;
}
