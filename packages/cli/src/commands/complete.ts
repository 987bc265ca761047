import tab from '@bomb.sh/tab/commander';
import { CLIENTS } from '@mcpmux/clients';
import type { Command } from 'commander';
import { writeStdout } from '../base/terminal-output.js';
import {
  clientNames,
  configOfCommandLine,
  pathsInFolder,
  profileNames,
  serverNames,
  toolNamesOf,
} from './completion-values.js';

type CompletionRoot = ReturnType<typeof tab>;
type CompleteCallback = (value: string, description: string) => void;
type ValueSource = () => readonly (readonly [value: string, description: string])[];

/** Adds `completion SHELL` and the command that the completion scripts call. */
export function addCompletion(program: Command, args: readonly string[] = process.argv.slice(2)): void {
  const root = tab(program, { completionCommandName: 'completion' });
  addValueHandlers(root, valueSourcesFor(args));
  for (const command of program.commands) {
    const completionCommand = root.commands.get(command.name());
    if (completionCommand !== undefined)
      for (const alias of command.aliases()) root.commands.set(alias, completionCommand);
  }
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a completion script for a shell')
    .addHelpText('after', COMPLETION_HELP)
    .hook('preAction', (_, { args: [shell] }) => {
      if (shell === 'bash') writeStdout(BASH_FALLBACKS);
    });
}

/** Returns the functions that list completion values, keyed by the name of the argument or option. */
function valueSourcesFor(args: readonly string[]): ReadonlyMap<string, ValueSource> {
  const config = (): ReturnType<typeof configOfCommandLine> => configOfCommandLine(args);
  const files = (): ReturnType<typeof pathsInFolder> => pathsInFolder(args.at(-1) ?? '');
  const servers: ValueSource = () => serverNames(config());
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

function addValueHandlers(root: CompletionRoot, valueSources: ReadonlyMap<string, ValueSource>): void {
  for (const [name, command] of [['', root] as const, ...root.commands]) {
    // `add` needs a new name, so the completion offers no existing names.
    const parameters = [...command.options, ...(name === 'add' ? [] : command.arguments)];
    for (const [part, target] of parameters) {
      const valueSource = valueSources.get(part);
      if (valueSource === undefined || ('isBoolean' in target && target.isBoolean)) continue;
      target.handler = (complete: CompleteCallback) => {
        for (const [value, description] of valueSource()) complete(value, description);
      };
    }
  }
}

/** Help text that explains how to install the completion scripts. */
const COMPLETION_HELP = `
To load the script in every new shell:
  bash        echo 'eval "$(mcpmux completion bash)"' >> ~/.bashrc
  zsh         mcpmux completion zsh > "\${fpath[1]}/_mcpmux"
  fish        mcpmux completion fish > ~/.config/fish/completions/mcpmux.fish
  powershell  add to $PROFILE: mcpmux completion powershell | Out-String | Invoke-Expression
`;

/** Fallbacks for functions of bash-completion and for bash 4's `compopt`, for machines that lack them. */
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
