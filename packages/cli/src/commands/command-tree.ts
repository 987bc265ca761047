import { Option, type Command } from 'commander';

import {
  collect,
  command,
  count,
  instances,
  list,
  one,
  reads,
  run,
  starts,
  writes,
  type Exit,
} from './command-builder.js';

/** All commands but `serve`. What one does is loaded when it runs. */
export function commands(exit: Exit): readonly Command[] {
  return [
    ...configCommands(exit),
    ...serverCommands(exit),
    ...useCommands(exit),
    ...loginCommands(exit),
    ...runningCommands(exit),
    ...clientCommands(exit),
  ];
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
    .option('--no-start', 'only read the config')
    .option('--all', 'the servers of every mcpmux that runs');
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

function loginCommands(exit: Exit): readonly Command[] {
  const login = reads(command('login <name>', 'log in to a server at a url that wants it (OAuth)'))
    .option('--client-id <id>', 'the client that is registered there; mcpmux registers itself by default')
    .option('--client-secret-env <variable>', 'the environment variable with its secret')
    .option('--scopes <scopes>', 'what is asked for; what the server wants by default')
    .option('--port <port>', 'of 127.0.0.1, where the page leads back to; any by default', count);
  run(login, exit, async (context, [name], flags) =>
    (await import('./login.js')).login(context, one(name) ?? '', flags),
  );
  const logout = reads(command('logout <name>', 'forget the login to a server at a url'));
  run(logout, exit, async (context, [name], flags) =>
    (await import('./logout.js')).logout(context, one(name) ?? '', flags),
  );
  return [login, logout];
}

function runningCommands(exit: Exit): readonly Command[] {
  const reload = instances(
    command('reload [name...]', 'read the config of a running mcpmux again, or restart servers').alias(
      'reload-config',
    ),
  );
  run(reload, exit, async (context, [names], flags) =>
    (await import('./reload.js')).reload(context, list(names), flags),
  );
  const logs = instances(command('logs [name...]', 'show the logs of servers of a running mcpmux'))
    .option('-f, --follow', 'go on as they come')
    .option('-n, --lines <count>', 'how many of each server (default: 50)', count);
  run(logs, exit, async (context, [names], flags) =>
    (await import('./logs.js')).logs(context, list(names), flags),
  );
  const top = instances(command('top', 'watch servers, calls and logs of a running mcpmux')).option(
    '--once',
    'show it once, and end',
  );
  run(top, exit, async (context, _, flags) => (await import('./top.js')).top(context, flags));
  return [reload, logs, top];
}

function configCommands(exit: Exit): readonly Command[] {
  const config = command('config', 'the config file: where it is, whether it is right');
  for (const part of configParts(exit)) config.addCommand(part);
  const init = writes(
    command('init', 'write a config: your own, or mcpmux.json here with --scope project'),
  ).option('-y, --yes', 'do not ask');
  run(init, exit, async (context, _, flags) => (await import('./init.js')).init(context, flags));
  const get = reads(command('get <name>', 'show a server of the config, without values of secrets'));
  run(get, exit, async (context, [name], flags) =>
    (await import('./get.js')).get(context, one(name) ?? '', flags),
  );
  const doctor = starts(
    reads(command('doctor [name]', 'look for what keeps servers from working, and say what to do')),
  );
  run(doctor, exit, async (context, [name], flags) =>
    (await import('./doctor.js')).doctor(context, one(name), flags),
  );
  const version = command('version', 'print the version');
  run(version, exit, async (context) => (await import('./version.js')).version(context));
  return [config, init, get, doctor, version];
}

function configParts(exit: Exit): readonly Command[] {
  const path = command('path', 'print the path of the config that is used').option(
    '--config <file>',
    'this file',
  );
  run(path, exit, async (_, __, flags) =>
    (await import('../config/config-actions.js')).printConfigPath(flags),
  );
  const validate = command('validate', 'check the config: every problem on stderr, with its position').option(
    '--config <file>',
    'this file',
  );
  run(validate, exit, async (_, __, flags) =>
    (await import('../config/config-actions.js')).validateConfig(flags),
  );
  const schema = command('schema', 'print the JSON Schema of the config, for editors');
  run(schema, exit, async () => (await import('../config/config-actions.js')).printConfigSchema());
  return [path, validate, schema];
}

function clientCommands(exit: Exit): readonly Command[] {
  const imports = writes(command('import [client...]', 'take the servers of clients into the config'))
    .option('--from <file>', 'a file in the format of the client')
    .option('--takeover', 'take them out of the clients, and put mcpmux there')
    .option('-y, --yes', 'do not ask');
  run(imports, exit, async (context, [names], flags) =>
    (await import('./import.js')).importServers(context, list(names), flags),
  );
  const exports = reads(
    command('export [name...]', 'print servers of the config in the format of a client'),
  ).option('-c, --client <client>', 'the client (default: the format of mcpmux)');
  run(exports, exit, async (context, [names], flags) =>
    (await import('./export.js')).exportServers(context, list(names), flags),
  );
  const inspect = reads(
    command('inspect [name]', 'run the MCP Inspector on mcpmux with all servers, or with one'),
  ).option('--print', 'only print the command');
  run(inspect, exit, async (context, [name], flags) =>
    (await import('./inspect.js')).inspect(context, one(name), flags),
  );
  return [imports, exports, ...installCommands(exit), inspect];
}

function installCommands(exit: Exit): readonly Command[] {
  return (['install', 'uninstall'] as const).map((name) => {
    const isInstall = name === 'install';
    const result = command(
      `${name} [client...]`,
      isInstall ? 'register mcpmux in clients' : 'take mcpmux out of clients',
    )
      .option('-p, --project', 'in the file of the project instead of the user')
      .option('--dry-run', 'only show what would change')
      .option('-y, --yes', 'do not ask');
    if (isInstall) {
      result
        .option('--local', 'this installation instead of npx @mcpmux/cli')
        .option('--print', 'only print what would stand in the file');
    }
    run(result, exit, async (context, [names], flags) =>
      (await import('./install.js'))[name](context, list(names), flags),
    );
    return result;
  });
}

const ADD_EXAMPLES = `
Examples:
  mcpmux add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  mcpmux add github -e 'GITHUB_TOKEN=\${GITHUB_TOKEN}' -- npx -y @modelcontextprotocol/server-github
  mcpmux add npm:@modelcontextprotocol/server-memory
  mcpmux add docs https://example.com/mcp -H 'Authorization: Bearer \${DOCS_TOKEN}'
`;
