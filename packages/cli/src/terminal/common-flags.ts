import { Option, type Command } from 'commander';

const COMMON: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'print JSON, and errors as JSON on stderr'],
  ['-q, --quiet', 'print nothing but data and errors'],
  ['--no-input', 'never ask a question'],
  ['-C, --directory <folder>', 'run as if started in this folder'],
];

/** Adds the flags that every command has. Hides them for a parent that passes them on. */
export function addCommonFlags(command: Command, isHidden = false): Command {
  for (const [flags, description] of COMMON)
    command.addOption(new Option(flags, description).hideHelp(isHidden));
  return command;
}

/** Returns the first of these flags that was given to a command. */
export function givenCommonFlag(command: Command): string | undefined {
  const names = new Set(COMMON.map(([flags]) => new Option(flags).long));
  return givenOptions(command).find(({ long }) => names.has(long))?.long ?? undefined;
}

/** Returns the options that were given to a command. */
function givenOptions(command: Command): readonly Option[] {
  return command.options.filter((option) => {
    const key = option.attributeName();
    const isNegated = command.getOptionValue(key) === false;
    return command.getOptionValueSource(key) === 'cli' && option.negate === isNegated;
  });
}

/**
 * Passes on to a command the flags that come before its name: `mcpmux --json list` means `mcpmux list --json`. Ends the
 * command with an error for a flag that it does not accept.
 */
export function inheritFlags(command: Command): void {
  for (let parent = command.parent; parent !== null; parent = parent.parent) {
    for (const option of givenOptions(parent)) {
      const key = option.attributeName();
      if (command.getOptionValueSource(key) === 'cli') continue;
      if (!command.options.some(({ long }) => long === option.long))
        command.error(`error: ${option.long ?? key} is no option of mcpmux ${nameOf(command)}`);
      command.setOptionValue(key, parent.getOptionValue(key));
    }
  }
}

/** Collects the values of a repeatable option. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Returns the name of a command with its parents, such as `config path`. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}
