import { Option, type Command } from 'commander';

const COMMON_FLAGS: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'print JSON, and errors as JSON on stderr'],
  ['-q, --quiet', 'print nothing but data and errors'],
  ['--no-input', 'never ask a question'],
  ['-C, --directory <folder>', 'run as if started in this folder'],
];

/** Adds the common flags to a command. With `isHidden`, the command's help does not list them. */
export function addCommonFlags(command: Command, isHidden = false): Command {
  for (const [flags, description] of COMMON_FLAGS)
    command.addOption(new Option(flags, description).hideHelp(isHidden));
  return command;
}

/** Returns the long form of a common flag that the user passed to the command, or undefined if there is none. */
export function explicitCommonFlag(command: Command): string | undefined {
  const names = new Set(COMMON_FLAGS.map(([flags]) => new Option(flags).long));
  return explicitOptions(command).find(({ long }) => names.has(long))?.long ?? undefined;
}

/** Returns the options that the user passed to the command, without defaults. */
function explicitOptions(command: Command): readonly Option[] {
  return command.options.filter((option) => {
    const key = option.attributeName();
    const isNegated = command.getOptionValue(key) === false;
    return command.getOptionValueSource(key) === 'cli' && option.negate === isNegated;
  });
}

/**
 * Applies the flags before a command's name to the command, so that `mcpmux --json list` means `mcpmux list --json`.
 * Ends with an error if the command does not accept such a flag.
 */
export function inheritFlags(command: Command): void {
  for (let parent = command.parent; parent !== null; parent = parent.parent) {
    for (const option of explicitOptions(parent)) {
      const key = option.attributeName();
      if (command.getOptionValueSource(key) === 'cli') continue;
      if (!command.options.some(({ long }) => long === option.long))
        command.error(`error: ${option.long ?? key} is no option of mcpmux ${nameOf(command)}`);
      command.setOptionValue(key, parent.getOptionValue(key));
    }
  }
}

/** Collects the values of a repeatable option. Commander calls it once per value. */
export function collect(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

/** Returns a command's name after its parents' names, such as `config path`. Omits the program's name. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}
