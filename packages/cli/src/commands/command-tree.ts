import { Option, type Command } from 'commander';

import { collect } from '../terminal/common-flags.js';
import { command, count, instances, reads, run, starts, writes, type Exit } from './command-builder.js';

/** All commands but `serve`. What one does is loaded when it runs. */
export function commands(exit: Exit): readonly Command[] {
  return [
    ...configCommands(exit),
    ...serverCommands(exit),
    ...useCommands(exit),
    ...runningCommands(exit),
    ...clientCommands(exit),
  ];
}

function serverCommands(exit: Exit): readonly Command[] {
  const add = writes(
    command('add <name> [target...]', 'add a server: NAME -- COMMAND ARGS, NAME URL, or npm:PACKAGE')
      .option('-e, --env <NAME=value>', 'a variable of the server (repeatable)', collect)
      .option('-H, --header <Name: value>', 'a header of a server at a url (repeatable)', collect)
      .option('--cwd <folder>', 'working directory of the server')
      .addOption(
        new Option('-t, --transport <kind>', 'how a url is spoken to').choices(['stdio', 'http', 'sse']),
      )
      .option('--from <json>', 'the whole entry as JSON')
      .option('-f, --force', 'replace a server of that name')
      .addHelpText('after', ADD_EXAMPLES),
  );
  const remove = writes(command('remove <name...>', 'take servers out of the config').alias('rm'));
  const enable = writes(command('enable <name...>', 'start servers of the config'));
  const disable = writes(command('disable <name...>', 'do not start servers of the config'));
  return [
    run(add, exit, async () => (await import('./add.js')).add),
    run(remove, exit, async () => (await import('./remove.js')).remove),
    run(enable, exit, async () => (await import('./switch-server.js')).enable),
    run(disable, exit, async () => (await import('./switch-server.js')).disable),
  ];
}

function useCommands(exit: Exit): readonly Command[] {
  const list = starts(
    reads(command('list', 'list the servers of the config and whether they run').alias('ls')),
  )
    .option('--tools', 'their tools too')
    .option('--no-start', 'only read the config')
    .option('--all', 'the servers of every mcpmux that runs');
  const tools = starts(
    reads(command('tools [query]', 'list tools: all, of one server, or that match words')),
  ).option('--schema', 'with their input schemas');
  const call = starts(
    reads(command('call <tool> [arguments...]', 'call a tool: SERVER.TOOL name=value')),
  ).option('-a, --args <json>', 'all arguments as JSON; - reads them from stdin');
  const login = reads(command('login <name>', 'log in to a server at a url that wants it (OAuth)'))
    .option('--client-id <id>', 'the client that is registered there; mcpmux registers itself by default')
    .option('--client-secret-env <variable>', 'the environment variable with its secret')
    .option('--client-metadata-url <url>', 'a document that describes the client, where such are taken')
    .option('--scopes <scopes>', 'what is asked for; what the server wants by default')
    .option('--port <port>', 'of 127.0.0.1, where the page leads back to; any by default', count);
  const logout = reads(command('logout <name>', 'forget the login to a server at a url'));
  return [
    run(list, exit, async () => (await import('./list.js')).list),
    run(tools, exit, async () => (await import('./tools.js')).tools),
    run(call, exit, async () => (await import('./call.js')).call),
    run(login, exit, async () => (await import('./login.js')).login),
    run(logout, exit, async () => (await import('./logout.js')).logout),
  ];
}

function runningCommands(exit: Exit): readonly Command[] {
  const reload = instances(
    command('reload [name...]', 'read the config of a running mcpmux again, or restart servers').alias(
      'reload-config',
    ),
  );
  const logs = instances(command('logs [name...]', 'show the logs of servers of a running mcpmux'))
    .option('-f, --follow', 'go on as they come')
    .option('-n, --lines <count>', 'how many of each server (default: 50)', count);
  const top = instances(command('top', 'watch servers, calls and logs of a running mcpmux')).option(
    '--once',
    'show it once, and end',
  );
  return [
    run(reload, exit, async () => (await import('./reload.js')).reload),
    run(logs, exit, async () => (await import('./logs.js')).logs),
    run(top, exit, async () => (await import('./top.js')).top),
  ];
}

function configCommands(exit: Exit): readonly Command[] {
  const config = command('config', 'the config file: where it is, whether it is right');
  for (const part of configParts(exit)) config.addCommand(part);
  const init = writes(
    command('init', 'write a config: your own, or mcpmux.json here with --scope project'),
  ).option('-y, --yes', 'do not ask');
  const get = reads(command('get <name>', 'show a server of the config, without values of secrets'));
  const doctor = starts(
    reads(command('doctor [name]', 'look for what keeps servers from working, and say what to do')),
  );
  const version = command('version', 'print the version');
  return [
    config,
    run(init, exit, async () => (await import('./init.js')).init),
    run(get, exit, async () => (await import('./get.js')).get),
    run(doctor, exit, async () => (await import('./doctor.js')).doctor),
    run(version, exit, async () => (await import('./version.js')).version),
  ];
}

function configParts(exit: Exit): readonly Command[] {
  const path = command('path', 'print the path of the config that is used');
  const validate = command('validate', 'check the config: every problem on stderr, with its position');
  for (const part of [path, validate]) part.option('--config <file>', 'this file');
  const schema = command('schema', 'print the JSON Schema of the config, for editors');
  return [
    run(path, exit, async () => (await import('./config-actions.js')).printConfigPath),
    run(validate, exit, async () => (await import('./config-actions.js')).validateConfig),
    run(schema, exit, async () => (await import('./config-actions.js')).printConfigSchema),
  ];
}

function clientCommands(exit: Exit): readonly Command[] {
  const imports = writes(command('import [client...]', 'take the servers of clients into the config'))
    .option('--from <file>', 'a file in the format of the client')
    .option('--takeover', 'take them out of the clients, and put mcpmux there')
    .option('-y, --yes', 'do not ask');
  const exports = reads(
    command('export [name...]', 'print servers of the config in the format of a client'),
  ).option('-c, --client <client>', 'the client (default: the format of mcpmux)');
  const install = command('install [client...]', 'register mcpmux in clients');
  const uninstall = command('uninstall [client...]', 'take mcpmux out of clients');
  for (const part of [install, uninstall]) {
    part
      .option('-p, --project', 'in the file of the project instead of the user')
      .option('--dry-run', 'only show what would change')
      .option('-y, --yes', 'do not ask');
  }
  install
    .option('--local', 'this installation instead of npx @mcpmux/cli')
    .option('--print', 'only print what would stand in the file');
  const inspect = reads(
    command('inspect [name]', 'run the MCP Inspector on mcpmux with all servers, or with one'),
  ).option('--print', 'only print the command');
  return [
    run(imports, exit, async () => (await import('./import.js')).importServers),
    run(exports, exit, async () => (await import('./export.js')).exportServers),
    run(install, exit, async () => (await import('./install.js')).install),
    run(uninstall, exit, async () => (await import('./install.js')).uninstall),
    run(inspect, exit, async () => (await import('./inspect.js')).inspect),
  ];
}

const ADD_EXAMPLES = `
Examples:
  mcpmux add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  mcpmux add github -e 'GITHUB_TOKEN=\${GITHUB_TOKEN}' -- npx -y @modelcontextprotocol/server-github
  mcpmux add npm:@modelcontextprotocol/server-memory
  mcpmux add docs https://example.com/mcp -H 'Authorization: Bearer \${DOCS_TOKEN}'
`;
