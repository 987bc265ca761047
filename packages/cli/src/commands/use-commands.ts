import { Option, type Command } from 'commander';

import { collect } from '../terminal/common-flags.js';
import {
  command,
  parseInteger,
  addConfigFlags,
  run,
  addProfileFlag,
  addStartFlags,
  type OnExit,
} from './command-builder.js';

/** Returns the commands that use servers as an MCP client does, such as `list`, `call`, `read` and `login`. */
export function serverUseCommands(exit: OnExit): readonly Command[] {
  const list = addStartFlags(
    command('list', 'list the servers of the config and whether they run').alias('ls'),
  )
    .option('--tools', 'list the tools of each server too')
    .option('--check', 'start the servers once, unless a running mcpmux has them')
    .addOption(new Option('--no-start', 'only read the config').hideHelp())
    .option('--all', 'list the servers of every running mcpmux');
  const tools = addStartFlags(
    command('tools [query]', 'list all tools, those of one server, or those that match words'),
  )
    .option('--schema', 'print the input schemas too')
    .option('--full', 'print whole descriptions, not only their first sentences')
    .option('--names', 'print only names, one on each line, as mcpmux call takes them')
    .option('--cost', 'print the tokens of each definition, before and after what the config lists');
  const types = addStartFlags(
    command('types [query]', 'print TypeScript declarations of all tools, or of one server'),
  );
  const call = addStartFlags(
    command('call <tool> [arguments...]', 'call a tool: SERVER.TOOL name=value, or URL TOOL name=value'),
  )
    .option('-a, --args <json>', 'all arguments as JSON; - reads them from stdin')
    .option('--no-validate', 'let the server alone check the arguments')
    .option('--save <folder>', 'write images, sounds and files of the result into this folder');
  const prompts = addStartFlags(command('prompts [server]', 'list the prompts of all servers, or of one'));
  const prompt = addStartFlags(
    command('prompt <prompt> [arguments...]', 'print a prompt: SERVER.PROMPT name=value'),
  );
  const resources = addStartFlags(
    command('resources [url]', 'list the resources and templates of all servers, or of one at a url'),
  );
  const read = addStartFlags(command('read <uri> [of]', 'print a resource: URI, or URL URI'));
  for (const listCommand of [list, tools, types, prompts]) addProfileFlag(listCommand);
  return [
    run(list, exit, async () => (await import('./list.js')).list),
    run(tools, exit, async () => (await import('./tools.js')).tools),
    run(types, exit, async () => (await import('./types.js')).types),
    run(call, exit, async () => (await import('./call.js')).call),
    run(prompts, exit, async () => (await import('./prompts-and-resources.js')).prompts),
    run(prompt, exit, async () => (await import('./read.js')).prompt),
    run(resources, exit, async () => (await import('./prompts-and-resources.js')).resources),
    run(read, exit, async () => (await import('./read.js')).read),
    ...loginCommands(exit),
  ];
}

function loginCommands(exit: OnExit): readonly Command[] {
  const login = addConfigFlags(command('login <name>', 'log in to a server at a url with OAuth'))
    .option('--client-id <id>', 'the id of a registered OAuth client (default: mcpmux registers one)')
    .option('--client-secret-env <variable>', 'the environment variable that holds the client secret')
    .option('--client-metadata-url <url>', 'the url of a published client metadata document')
    .option('--scopes <scopes>', 'the scopes to request (default: those that the server names)')
    .option('--no-browser', 'log in with a browser on another machine: by a code, or by a pasted address')
    .addOption(
      new Option(
        '--token <source>',
        'save a token or a login from elsewhere; - reads it from stdin',
      ).conflicts(['clientId', 'scopes', 'port']),
    )
    .option('--port <port>', 'the port of the redirect to 127.0.0.1 (default: any free port)', parseInteger);
  const logout = addConfigFlags(command('logout <name>', 'delete the saved login to a server at a url'));
  for (const loginCommand of [login, logout])
    loginCommand.option('--cluster <url>', 'the server of NATS of the cluster that has the login', collect);
  return [
    run(login, exit, async () => (await import('./login.js')).login),
    run(logout, exit, async () => (await import('./logout.js')).logout),
  ];
}
