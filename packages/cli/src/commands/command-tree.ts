import process from 'node:process';

import { Command, InvalidArgumentError, Option } from 'commander';

import { processContext, type CommandContext, type CommonFlags } from '../terminal/command-context.js';
import { CommandError, formatFailure } from '../terminal/command-error.js';
import { ExitCode } from '../exit-code.js';
import type { AddFlags } from './add.js';
import type { CallFlags } from './call.js';
import type { RemoveFlags } from './remove.js';
import type { ToolsFlags } from './tools.js';

/** What commander gives for the options of a command: only those that it has. */
type Flags = CommonFlags & AddFlags & RemoveFlags & ToolsFlags & CallFlags;

/** What commander gives for one argument of a command. */
type Argument = string | readonly string[] | undefined;

/** Tells how a command ended. */
export type Exit = (code: number) => void;

/** All commands but `serve` and `config`. What one does is loaded when it runs. */
export function commands(exit: Exit): readonly Command[] {
  return [...serverCommands(exit), ...useCommands(exit)];
}

function serverCommands(exit: Exit): readonly Command[] {
  const add = command(
    'add <name> [target...]',
    'add a server: NAME -- COMMAND ARGS, NAME URL, or npm:PACKAGE',
  )
    .option('-e, --env <NAME=value>', 'a variable of the server (repeatable)', collect)
    .option('-H, --header <Name: value>', 'a header of a server at a url (repeatable)', collect)
    .option('--cwd <folder>', 'working directory of the server')
    .addOption(
      new Option('-t, --transport <kind>', 'how a url is spoken to').choices(['stdio', 'http', 'sse']),
    )
    .option('--from <json>', 'the whole entry as JSON')
    .option('-f, --force', 'replace a server of that name')
    .addHelpText('after', ADD_EXAMPLES);
  writes(add);
  run(add, exit, async (context, [name, target], flags) =>
    (await import('./add.js')).add(context, [one(name) ?? '', ...list(target)], flags),
  );
  const remove = writes(command('remove <name...>', 'take servers out of the config').alias('rm'));
  run(remove, exit, async (context, [names], flags) =>
    (await import('./remove.js')).remove(context, list(names), flags),
  );
  const switches = (['enable', 'disable'] as const).map((name) => {
    const result = writes(
      command(`${name} <name...>`, `${name === 'enable' ? 'start' : 'do not start'} servers of the config`),
    );
    run(result, exit, async (context, [names], flags) =>
      (await import('./switch-server.js')).switchServers(context, list(names), {
        ...flags,
        on: name === 'enable',
      }),
    );
    return result;
  });
  return [add, remove, ...switches];
}

function useCommands(exit: Exit): readonly Command[] {
  const listing = starts(
    reads(command('list', 'list the servers of the config and whether they run').alias('ls')),
  )
    .option('--tools', 'their tools too')
    .option('--no-start', 'only read the config');
  run(listing, exit, async (context, _, flags) => (await import('./list.js')).list(context, flags));
  const tools = starts(
    reads(command('tools [query]', 'list tools: all, of one server, or that match words')),
  ).option('--schema', 'with their input schemas');
  run(tools, exit, async (context, [query], flags) =>
    (await import('./tools.js')).tools(context, one(query), flags),
  );
  const call = starts(
    reads(command('call <tool> [arguments...]', 'call a tool: SERVER.TOOL name=value')),
  ).option('-a, --args <json>', 'all arguments as JSON; - reads them from stdin');
  run(call, exit, async (context, [tool, words], flags) =>
    (await import('./call.js')).call(context, one(tool) ?? '', list(words), flags),
  );
  return [listing, tools, call];
}

/** A command with the flags that all have. */
function command(usage: string, description: string): Command {
  const [name = '', ...rest] = usage.split(' ');
  const result = new Command(name).description(description).exitOverride().allowExcessArguments(false);
  for (const argument of rest) result.argument(argument);
  return result
    .option('--json', 'print JSON, and errors as JSON on stderr')
    .option('-q, --quiet', 'print nothing but data and errors')
    .option('--no-input', 'never ask')
    .option('-C, --directory <folder>', 'run as if started there');
}

function reads(result: Command): Command {
  return result
    .option('--config <file>', 'this config, which is only read')
    .option('--catalog <file>', 'this config, which is also written');
}

function writes(result: Command): Command {
  return reads(result)
    .addOption(new Option('-s, --scope <scope>', 'which config').choices(['user', 'project']))
    .option('--dry-run', 'only show what would change');
}

function starts(result: Command): Command {
  return result.option(
    '--timeout <seconds>',
    'how long a server may take to start (default: 60)',
    milliseconds,
  );
}

/** Makes what runs a command of its action: errors go to stderr, the exit code to whoever ends the process. */
function run(
  result: Command,
  exit: Exit,
  work: (context: CommandContext, args: readonly Argument[], flags: Flags) => number | Promise<number>,
): void {
  result.action(async (...received: unknown[]) => {
    const flags = result.opts<Flags>();
    const args = received.slice(0, result.registeredArguments.length).map(readArgument);
    try {
      enter(flags.directory);
      exit(await work(processContext(flags), args, flags));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      processContext(flags).streams.err(formatFailure(error.failure, flags.json === true));
      exit(error.failure.exitCode);
    }
  });
}

function enter(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch {
    throw new CommandError({
      code: 'FOLDER_NOT_FOUND',
      exitCode: ExitCode.NotFound,
      message: `there is no folder ${folder}, which --directory names.`,
    });
  }
}

function readArgument(value: unknown): Argument {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? value : undefined;
}

function list(value: Argument): readonly string[] {
  return typeof value === 'object' ? value : [];
}

function one(value: Argument): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

function milliseconds(text: string): number {
  const value = Number(text) * 1000;
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number of seconds above 0.');
}

const ADD_EXAMPLES = `
Examples:
  mcpmux add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  mcpmux add github -e 'GITHUB_TOKEN=\${GITHUB_TOKEN}' -- npx -y @modelcontextprotocol/server-github
  mcpmux add npm:@modelcontextprotocol/server-memory
  mcpmux add docs https://example.com/mcp -H 'Authorization: Bearer \${DOCS_TOKEN}'
`;
