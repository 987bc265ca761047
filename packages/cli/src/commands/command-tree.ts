import { Option, type Command } from 'commander';

import { OWN_PACKAGE } from '../config/own-entry.js';
import { collect } from '../terminal/common-flags.js';
import { clusterCommand } from './cluster-command.js';
import {
  changes,
  command,
  count,
  instances,
  reads,
  run,
  selects,
  starts,
  writes,
  type Exit,
} from './command-builder.js';

/** All commands but `serve`. The code of a command is loaded when it runs. */
export function commands(exit: Exit): readonly Command[] {
  return [
    ...configCommands(exit),
    ...serverCommands(exit),
    ...useCommands(exit),
    ...runningCommands(exit),
    ...sharedCommands(exit),
    clusterCommand(exit),
    ...clientCommands(exit),
  ];
}

function serverCommands(exit: Exit): readonly Command[] {
  const add = changes(
    command(
      'add <name> [target...]',
      'add a server: NAME -- COMMAND ARGS, [NAME] URL, [NAME] npm:PACKAGE ARGS, or registry:NAME',
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
  const remove = changes(command('remove <name...>', 'remove servers from the config').alias('rm'));
  const enable = changes(command('enable <name...>', 'enable servers of the config'));
  const disable = changes(
    command('disable <name...>', 'disable servers of the config: mcpmux does not start them'),
  );
  const search = command('search <words...>', 'search the registry of MCP servers').option(
    '--registry <url>',
    'the registry to search (default: the official one)',
  );
  return [
    run(search, exit, async () => (await import('./search.js')).search),
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
    .option('--tools', 'list the tools of each server too')
    .option('--check', 'start the servers once, unless a running mcpmux has them')
    .addOption(new Option('--no-start', 'only read the config').hideHelp())
    .option('--all', 'list the servers of every running mcpmux');
  const tools = starts(
    reads(command('tools [query]', 'list all tools, those of one server, or those that match words')),
  )
    .option('--schema', 'print the input schemas too')
    .option('--names', 'print only names, one on each line, as mcpmux call takes them')
    .option('--cost', 'print the tokens of each definition, before and after what the config lists');
  const call = starts(
    reads(
      command('call <tool> [arguments...]', 'call a tool: SERVER.TOOL name=value, or URL TOOL name=value'),
    ),
  )
    .option('-a, --args <json>', 'all arguments as JSON; - reads them from stdin')
    .option('--no-validate', 'let the server alone check the arguments')
    .option('--save <folder>', 'write images, sounds and files of the result into this folder');
  const prompts = starts(reads(command('prompts [server]', 'list the prompts of all servers, or of one')));
  const prompt = starts(
    reads(command('prompt <prompt> [arguments...]', 'print a prompt: SERVER.PROMPT name=value')),
  );
  const resources = starts(
    reads(command('resources [url]', 'list the resources and templates of all servers, or of one at a url')),
  );
  const read = starts(reads(command('read <uri> [of]', 'print a resource: URI, or URL URI')));
  for (const part of [list, tools, prompts]) selects(part);
  const login = reads(command('login <name>', 'log in to a server at a url with OAuth'))
    .option('--client-id <id>', 'the id of a registered OAuth client (default: mcpmux registers one)')
    .option('--client-secret-env <variable>', 'the environment variable that holds the client secret')
    .option('--client-metadata-url <url>', 'the url of a published client metadata document')
    .option('--scopes <scopes>', 'the scopes to request (default: those that the server names)')
    .option('--port <port>', 'the port of the redirect to 127.0.0.1 (default: any free port)', count);
  const logout = reads(command('logout <name>', 'delete the saved login to a server at a url'));
  for (const part of [login, logout])
    part.option('--cluster <url>', 'the server of NATS of the cluster that has the login', collect);
  return [
    run(list, exit, async () => (await import('./list.js')).list),
    run(tools, exit, async () => (await import('./tools.js')).tools),
    run(call, exit, async () => (await import('./call.js')).call),
    run(prompts, exit, async () => (await import('./listed.js')).prompts),
    run(prompt, exit, async () => (await import('./read.js')).prompt),
    run(resources, exit, async () => (await import('./listed.js')).resources),
    run(read, exit, async () => (await import('./read.js')).read),
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
    .option('-f, --follow', 'print new entries as they come')
    .option('-n, --lines <count>', 'the number of entries per server (default: 50)', count);
  const top = instances(command('top', 'watch servers, calls and logs of a running mcpmux')).option(
    '--once',
    'print the state once, and exit',
  );
  const ui = instances(
    command('ui', 'open the page of the running mcpmux in a browser, or start one with a page'),
  )
    .option('--no-open', 'only print the link')
    .option('--read-only', 'a link to a page that changes nothing')
    .option('--port <port>', 'the port of a mcpmux that is started (default: any free port)', count);
  return [
    run(ui, exit, async () => (await import('./ui.js')).ui),
    run(reload, exit, async () => (await import('./reload.js')).reload),
    run(logs, exit, async () => (await import('./logs.js')).logs),
    run(top, exit, async () => (await import('./top.js')).top),
  ];
}

function sharedCommands(exit: Exit): readonly Command[] {
  const status = command('status', 'list the mcpmux processes that windows share (serve --shared)');
  const stop = command('stop', 'end them; a window starts the next one when its client sends something');
  const restart = command('restart', 'end them; their windows start the next one at once');
  for (const part of [status, stop, restart])
    part.option('--pid <pid>', 'only the one with this process id', count);
  return [
    run(status, exit, async () => (await import('./shared-processes.js')).status),
    run(stop, exit, async () => (await import('./shared-processes.js')).stop),
    run(restart, exit, async () => (await import('./shared-processes.js')).restart),
  ];
}

function configCommands(exit: Exit): readonly Command[] {
  const config = command('config', 'read, change, check and edit the config, or print its path or schema');
  for (const part of configParts(exit)) config.addCommand(part);
  const init = writes(
    command('init', 'write an empty config: your own, or mcpmux.json here with --scope project'),
  ).option('-y, --yes', 'do not ask');
  const get = reads(command('get <name>', 'show a server of the config without secret values'));
  const doctor = starts(
    reads(command('doctor [name]', 'find problems that keep servers from working, and say what to do')),
  );
  selects(doctor);
  const version = command('version', 'print the version');
  return [
    config,
    secretCommand(exit),
    run(init, exit, async () => (await import('./init.js')).init),
    run(get, exit, async () => (await import('./get.js')).get),
    run(doctor, exit, async () => (await import('./doctor.js')).doctor),
    run(version, exit, async () => (await import('./version.js')).version),
  ];
}

function secretCommand(exit: Exit): Command {
  const set = command('set <secret>', 'save a secret; its value is asked for, or read from stdin');
  const list = command('list', 'list the names of the secrets');
  const remove = command('remove <secret...>', 'delete secrets');
  return command('secret', 'keep secrets in the keyring of the system, for ${secret:NAME} in a config')
    .addCommand(run(set, exit, async () => (await import('./secret.js')).secretSet))
    .addCommand(run(list, exit, async () => (await import('./secret.js')).secretList))
    .addCommand(run(remove, exit, async () => (await import('./secret.js')).secretRemove));
}

function configParts(exit: Exit): readonly Command[] {
  const path = command('path', 'print the path of the config that is used');
  const validate = command('validate', 'check the config: every problem on stderr, with its position');
  const get = reads(
    command('get [path]', 'print the config, or the value at a path such as mcpServers.NAME.env'),
  );
  const set = changes(command('set <path> <value>', 'write a value: JSON, or else a text'));
  const unset = changes(command('unset <path>', 'remove a value'));
  const edit = command('edit', 'open the config in your editor (VISUAL or EDITOR), then check it');
  for (const part of [path, validate, edit]) reads(part);
  const schema = command('schema', 'print the JSON Schema of the config, for editors');
  return [
    run(path, exit, async () => (await import('./config-actions.js')).printConfigPath),
    run(validate, exit, async () => (await import('./config-actions.js')).validateConfig),
    run(get, exit, async () => (await import('./config-values.js')).getConfigValue),
    run(set, exit, async () => (await import('./config-values.js')).setConfigValue),
    run(unset, exit, async () => (await import('./config-values.js')).unsetConfigValue),
    run(edit, exit, async () => (await import('./config-edit.js')).editConfigFile),
    run(schema, exit, async () => (await import('./config-actions.js')).printConfigSchema),
  ];
}

function clientCommands(exit: Exit): readonly Command[] {
  const imports = changes(command('import [client...]', 'copy the servers of clients into the config'))
    .option('--from <file>', 'read this file, in the format of the client')
    .option('--project', 'import the servers of the files of this folder too, without a question')
    .option('--takeover', 'remove the servers from the clients, and register mcpmux there')
    .option('-y, --yes', 'do not ask');
  const exports = reads(
    command('export [name...]', 'print servers of the config in the format of a client'),
  ).option('-c, --client <client>', 'the client (default: the format of mcpmux)');
  selects(exports);
  const install = command('install [client...]', 'register mcpmux in clients');
  const uninstall = command('uninstall [client...]', 'remove mcpmux from clients');
  for (const part of [install, uninstall]) {
    part
      .option('-p, --project', 'use the file of the project instead of that of the user')
      .option('--dry-run', 'only show what would change')
      .option('-y, --yes', 'do not ask');
  }
  install
    .option('--local', 'register this installation (default: in a clone)')
    .option('--no-local', `register npx ${OWN_PACKAGE} (default: where mcpmux is installed as a package)`)
    .option('--shared', 'let all windows share one mcpmux and its servers')
    .option('--pass-env', 'let the client pass on the variables that the config uses')
    .option('--print', 'only print the entries');
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
  mcpmux add notes npm:@modelcontextprotocol/server-filesystem ~/notes
  mcpmux add registry:io.github.user/server
  mcpmux add docs https://example.com/mcp -H 'Authorization: Bearer \${DOCS_TOKEN}'
`;
