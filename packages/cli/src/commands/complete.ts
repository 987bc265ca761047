import tab from '@bomb.sh/tab/commander';
import { CLIENTS } from '@mcpmux/clients';
import type { Command } from 'commander';
import { writeOut } from '../base/terminal-output.js';
import {
  clientNames,
  configFrom,
  paths,
  profileNames,
  serverNames,
  toolNamesOf,
} from './completion-values.js';

type Root = ReturnType<typeof tab>;
type Complete = (value: string, description: string) => void;
type Values = () => readonly (readonly [value: string, description: string])[];

/** Adds `completion SHELL` and the command that the completion scripts call. */
export function addCompletion(program: Command, args: readonly string[] = process.argv.slice(2)): void {
  const root = tab(program, { completionCommandName: 'completion' });
  addValues(root, valuesFor(args));
  for (const command of program.commands) {
    const known = root.commands.get(command.name());
    if (known !== undefined) for (const alias of command.aliases()) root.commands.set(alias, known);
  }
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a completion script for a shell')
    .addHelpText('after', COMPLETION_HELP)
    .hook('preAction', (_, { args: [shell] }) => {
      if (shell === 'bash') writeOut(BASH_FALLBACKS);
    });
}

/** Returns functions for the completion values, by the name of the argument or option. */
function valuesFor(args: readonly string[]): ReadonlyMap<string, Values> {
  const config = (): ReturnType<typeof configFrom> => configFrom(args);
  const files = (): ReturnType<typeof paths> => paths(args.at(-1) ?? '');
  const servers: Values = () => serverNames(config());
  return new Map([
    ['name', servers],
    ['query', servers],
    ['only', servers],
    ['tool', () => toolNamesOf(config())],
    ['profile', () => profileNames(config())],
    ['client', () => clientNames(CLIENTS)],
    ...['config', 'catalog', 'from', 'cwd', 'directory', 'token-file'].map((name) => [name, files] as const),
  ]);
}

function addValues(root: Root, known: ReadonlyMap<string, Values>): void {
  for (const [name, command] of [['', root] as const, ...root.commands]) {
    // `add` needs a new name, so the completion offers no existing names.
    const parts = [...command.options, ...(name === 'add' ? [] : command.arguments)];
    for (const [part, target] of parts) {
      const values = known.get(part);
      if (values === undefined || ('isBoolean' in target && target.isBoolean)) continue;
      target.handler = (complete: Complete) => {
        for (const [value, description] of values()) complete(value, description);
      };
    }
  }
}

/** The help text with the commands that install the completion scripts. */
const COMPLETION_HELP = `
To load the script in every new shell:
  bash        echo 'eval "$(mcpmux completion bash)"' >> ~/.bashrc
  zsh         mcpmux completion zsh > "\${fpath[1]}/_mcpmux"
  fish        mcpmux completion fish > ~/.config/fish/completions/mcpmux.fish
  powershell  add to $PROFILE: mcpmux completion powershell | Out-String | Invoke-Expression
`;

/** Replacements for functions of bash-completion and bash 4, for machines without them. */
const BASH_FALLBACKS = `# in place of bash-completion, where it is not installed
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
_get_comp_words_by_ref() {
    local line=\${COMP_LINE:0:\${COMP_POINT}}
    read -ra words <<< "$line"
    if [[ "$line" == *[[:space:]] ]]; then words+=(""); fi
    cword=$((\${#words[@]} - 1))
    cur=\${words[cword]}
    prev=\${words[cword-1]}
}
fi
if ! type compopt >/dev/null 2>&1; then compopt() { :; }; fi

`;
