import { Option, type Command } from 'commander';

import { collect } from '../terminal/common-flags.js';
import { addChangeFlags, command, addConfigFlags, run, type OnExit } from './command-builder.js';

/** Returns the commands that edit a config's servers, search the registry or look for newer versions. */
export function serverCommands(exit: OnExit): readonly Command[] {
  const add = addChangeFlags(
    command(
      'add <name> [target...]',
      'add a server: NAME -- COMMAND ARGS, [NAME] URL, [NAME] npm:PACKAGE ARGS, registry:NAME, FILE.mcpb, or skills:FOLDER',
    )
      .option('-e, --env <NAME=value>', 'a variable of the server (repeatable)', collect)
      .option('-H, --header <Name: value>', 'a header of a server at a url (repeatable)', collect)
      .option('--cwd <folder>', 'working directory of the server')
      .addOption(new Option('-t, --transport <kind>', 'the transport').choices(['stdio', 'http', 'sse']))
      .addOption(
        new Option('--protocol <era>', 'the era of the protocol').choices(['auto', 'legacy', 'modern']),
      )
      .option('--from <json>', 'the whole entry as JSON')
      .option('--registry <url>', 'the registry of registry:NAME (default: the official one)')
      .option('-f, --force', 'replace a server of that name')
      .option('--check', 'start the server once, to see whether it runs (default: at a terminal)')
      .option('--no-check', 'do not start the server')
      .addHelpText('after', ADD_EXAMPLES),
  );
  const remove = addChangeFlags(command('remove <name...>', 'remove servers from the config').alias('rm'));
  const enable = addChangeFlags(command('enable <name...>', 'enable servers of the config'));
  const disable = addChangeFlags(
    command('disable <name...>', 'disable servers of the config: mcpmux does not start them'),
  );
  const outdated = addConfigFlags(
    command('outdated [name...]', 'list servers whose packages have newer versions'),
  );
  const upgrade = addChangeFlags(
    command(
      'upgrade [name...]',
      'write newer versions of packages of servers, after a look at the tools that change',
    ),
  )
    .option('--to <version>', 'use this version of the one named server, such as the version before')
    .option('-y, --yes', 'do not ask');
  const search = command('search <words...>', 'search the registry of MCP servers').option(
    '--registry <url>',
    'the registry to search (default: the official one)',
  );
  return [
    run(outdated, exit, async () => (await import('./outdated.js')).outdated),
    run(upgrade, exit, async () => (await import('./upgrade.js')).upgrade),
    run(search, exit, async () => (await import('./search.js')).search),
    run(add, exit, async () => (await import('./add.js')).add),
    run(remove, exit, async () => (await import('./remove.js')).remove),
    run(enable, exit, async () => (await import('./switch-server.js')).enable),
    run(disable, exit, async () => (await import('./switch-server.js')).disable),
  ];
}

const ADD_EXAMPLES = `
Examples:
  mcpmux add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  mcpmux add github -e 'GITHUB_PERSONAL_ACCESS_TOKEN=\${GITHUB_TOKEN}' -- npx -y @modelcontextprotocol/server-github
  mcpmux add npm:@modelcontextprotocol/server-memory
  mcpmux add notes npm:@modelcontextprotocol/server-filesystem ~/notes
  mcpmux add registry:io.github.user/server
  mcpmux add ./weather.mcpb -e api_key=VALUE
  mcpmux add skills:./skills
  mcpmux add docs https://example.com/mcp -H 'Authorization: Bearer \${DOCS_TOKEN}'
`;
