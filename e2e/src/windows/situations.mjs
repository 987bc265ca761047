// Situations of a user on Windows. Each plays one, and throws an error if mcpmux does not do what its title says.
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

import { isRunning, run, Serving, stillRunning } from './mcpmux.mjs';
import { SINGLE_FILE_SITUATIONS, USER_SITUATIONS } from './user-situations.mjs';

/** The most that a situation may take. npx alone takes 10 s under Wine on a busy machine. */
const LIMIT_MS = 60_000;

/** What a model or a shell would break: one argument for each. */
const ODD_ARGUMENTS = {
  spaces: ['two words', ' ', ''],
  quotes: ['say "hi"', '"', 'a" & "b', 'C:\\dir\\', 'C:\\my dir\\'],
  '`&`, `|`, `<`, `>`': ['a&b', 'a|b', 'a<b>c', '& whoami'],
  '`^` and `!`': ['a^b', '^', '!PATH!', '^&'],
  '`%`': ['100%', '%PATH%', '%%'],
  'letters beyond ASCII': ['grün', '日本', '🙂'],
};

/** The situations, by their titles. Each gets the places of `lay`. */
export const SITUATIONS = {
  'serve: initialize, end of stdin': async ({ serve }) => {
    const serving = await serve();
    assert.equal(serving.serverInfo.name, 'mcpmux');
    assert.equal(await serving.end(), 0);
  },
  'a program by name (`node`)': started('node', (places) => [places.server, 'a b'], ['a b']),
  'an .exe by name (`uvx`)': started('uvx', (places) => [places.server, 'a b'], ['a b']),
  'a program by a path without its ending, with spaces': async (places) => {
    await answers(places, { command: join(places.bin, 'uvx'), args: [places.server, 'x'] }, ['x']);
  },
  '`npx PACKAGE`: the shim of npm, with the real npx': async (places) => {
    const entry = { command: 'npx', args: ['-y', 'shown', 'plain'], cwd: places.project };
    assert.deepEqual(await stillRunning(await answers(places, entry, ['plain'])), []);
  },
  '`cmd /c npx PACKAGE`, as configs for Windows have it': async (places) => {
    const args = ['/c', 'npx', '-y', 'shown', 'plain'];
    await answers(places, { command: 'cmd', args, cwd: places.project }, ['plain']);
  },
  'the shim of a package, by name': started('shown', () => ['a & b', '"'], ['a & b', '"']),
  'a .bat by path, with spaces': async (places) => {
    await answers(places, { command: join(places.bin, 'srv.bat'), args: ['plain'] }, ['plain']);
  },
  ...Object.fromEntries(
    Object.entries(ODD_ARGUMENTS).map(([title, args]) => [
      `a .cmd whose arguments have ${title}`,
      started('srv', () => args, args),
    ]),
  ),
  '`cmd /c` with syntax of the shell keeps the shell': async (places) => {
    const line = `echo started 1>&2 && node ${places.server} x`;
    await answers(places, { command: 'cmd', args: ['/c', line] }, ['x']);
  },
  'a missing program: the error names PATH, PATHEXT, the next step': async ({ serve }) => {
    const serving = await serve();
    const failure = await serving.call('add_server', { name: 'a', command: 'uvxx' }).catch(String);
    assert.match(failure, /"uvxx" was not found in PATH .*PATHEXT \(.*\.exe;.*\)\. Install it/i);
    await serving.end();
  },
  'a script in place of a program: the error has the entry that works': async ({ serve, server }) => {
    const serving = await serve();
    const failure = await serving
      .call('add_server', { name: 'a', command: server.replace('.mjs', '.js') })
      .catch(String);
    assert.match(failure, /was not found|Give the program that runs it/);
    const script = await serving.call('add_server', { name: 'a', command: server }).catch(String);
    assert.match(script, /Give the program that runs it: \{"command":"node","args":\[/);
    await serving.end();
  },
  'cwd with spaces, longer than 260 characters': async (places) => {
    const cwd = join(
      places.folder,
      ...Array.from({ length: 6 }, (_, index) => `a folder with a long name ${index} `.repeat(2).trim()),
    );
    assert.ok(cwd.length > 260);
    await mkdir(cwd, { recursive: true });
    const { serve, server } = places;
    const serving = await serve();
    await serving.call('add_server', {
      name: 'a',
      command: 'node',
      args: [server],
      cwd: join(places.folder, 'my project'),
    });
    assert.equal(await serving.value('a__cwd'), join(places.folder, 'my project'));
    const file = join(cwd, 'server.mjs');
    await cp(server, file);
    await serving.call('add_server', { name: 'b', command: 'node', args: [file, 'deep'] });
    assert.deepEqual(await serving.value('b__args'), ['deep']);
    await serving.end();
  },
  'env: names in another case replace the inherited ones': async ({ serve, server, bin }) => {
    const serving = await serve({ Shown: 'inherited' });
    const env = { SHOWN: 'own', path: `${bin};C:\\windows\\system32` };
    await serving.call('add_server', { name: 'a', command: 'uvx', args: [server], env });
    assert.equal(await serving.value('a__env', { name: 'shown' }), 'own');
    assert.equal(await serving.value('a__env', { name: 'PATH' }), env.path);
    await serving.end();
  },
  'a crash: the answer has the exit code, and a reload starts the server': async ({ serve, server }) => {
    const serving = await serve();
    await serving.call('add_server', { name: 'a', command: 'node', args: [server] });
    assert.match(await serving.call('a__crash').catch(String), /exited with code 7/);
    await serving.call('reload_server', { name: 'a' });
    assert.deepEqual(await serving.value('a__args'), []);
    await serving.end();
  },
  'reload: a new process, and the old one is gone': async ({ serve, server }) => {
    const serving = await serve();
    await serving.call('add_server', { name: 'a', command: 'node', args: [server] });
    const [before] = await serving.value('a__tree');
    await serving.call('reload_server', { name: 'a' });
    const [after] = await serving.value('a__tree');
    assert.notEqual(before, after);
    assert.deepEqual(await stillRunning([before]), []);
    await serving.end();
  },
  'remove: a tree of three behind a .cmd that minds no end of stdin is gone': async (places) => {
    const { serving, pids } = await tree(places);
    await serving.call('remove_server', { name: 'a' });
    assert.deepEqual(await stillRunning(pids), []);
    await serving.end();
  },
  'end of stdin: the same tree is gone': async (places) => {
    const { serving, pids } = await tree(places);
    assert.equal(await serving.end(), 0);
    assert.deepEqual(await stillRunning(pids), []);
  },
  'kill of mcpmux: the same tree is gone': async (places) => {
    const { serving, pids } = await tree(places);
    serving.child.kill();
    await serving.exited;
    assert.deepEqual(await stillRunning(pids), []);
  },
  'the config: %APPDATA%, CRLF, a byte order mark, a change while it is served': async ({
    serve,
    config,
    server,
    bin,
  }) => {
    const text = (...names) =>
      `\uFEFF{\r\n  // a comment\r\n  "mcpServers": ${JSON.stringify(Object.fromEntries(names.map((name) => [name, { command: 'srv', args: ['x'], cwd: bin }])))}\r\n}\r\n`;
    await writeFile(config, text('one'));
    const serving = await serve({}, '--watch');
    await serving.request('tools/list', {});
    assert.deepEqual(await serving.value('one__args'), ['x']);
    await writeFile(config, text('one', 'two'));
    for (let tries = 0; tries < 100; tries += 1) {
      const { tools } = await serving.request('tools/list', {});
      if (tools.some(({ name }) => name === 'two__args')) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(await serving.value('two__args'), ['x']);
    await serving.end();
    await writeFile(config, '{ "mcpServers": {} }');
    assert.match(server, /server\.mjs$/);
  },
  '`install`: the entry starts as the client starts it, and `uninstall` removes it': async (places) => {
    const { mcpmux, file, env } = places;
    const client = join(places.home, '.cursor', 'mcp.json');
    await writeFile(client, '{ "mcpServers": {} }\r\n');
    const { code, stderr } = await mcpmux('install', 'cursor', '--local', '--yes');
    assert.equal(code, 0, stderr);
    const { mcpServers } = JSON.parse(await readFile(client, 'utf8'));
    const serving = await Serving.start({ ...mcpServers.mcpmux, env });
    assert.equal(serving.serverInfo.name, 'mcpmux');
    await serving.end();
    assert.equal((await mcpmux('uninstall', 'cursor', '--yes')).code, 0);
    assert.equal((await readFile(client, 'utf8')).includes('mcpmux.cjs'), false);
    assert.ok(file);
  },
  '`install` writes `cmd /c npx` for the published package': async ({ mcpmux }) => {
    const { stdout, stderr } = await mcpmux('install', 'claude-desktop', '--no-local', '--print');
    assert.match(stdout + stderr, /"cmd",?[\s\S]*"\/c",[\s\S]*"npx"/);
  },
  '`import` of Claude Desktop: %APPDATA%\\Claude, entries with `cmd /c`': async ({
    mcpmux,
    appData,
    config,
  }) => {
    await mkdir(join(appData, 'Claude'), { recursive: true });
    const mcpServers = { memory: { command: 'cmd', args: ['/c', 'npx', '-y', 'shown'] } };
    await writeFile(join(appData, 'Claude', 'claude_desktop_config.json'), JSON.stringify({ mcpServers }));
    const { code, stderr } = await mcpmux('import', 'claude-desktop', '--yes');
    assert.equal(code, 0, stderr);
    assert.deepEqual(JSON.parse(await readFile(config, 'utf8')).mcpServers.memory, mcpServers.memory);
  },
  '`doctor`: a server behind a .cmd starts, a missing program is named': async ({ mcpmux, config }) => {
    const mcpServers = { fine: { command: 'srv' }, gone: { command: 'gone-program' } };
    await writeFile(config, JSON.stringify({ mcpServers }));
    const { stdout } = await mcpmux('doctor', '--json');
    const text = JSON.stringify(JSON.parse(stdout));
    assert.match(text, /gone-program.*PATHEXT/);
    assert.doesNotMatch(text, /"fine"[^{}]*could not/);
  },
  'commands reach a running mcpmux over its named pipe': async ({ serve, mcpmux, server }) => {
    const serving = await serve();
    await serving.call('add_server', { name: 'a', command: 'node', args: [server] });
    const { stdout, stderr } = await mcpmux('list', '--all', '--json');
    assert.match(stdout, /"a"/, stderr);
    await serving.end();
  },
  '`--shared`: two windows use one process, which ends with them': async ({
    serve,
    mcpmux,
    config,
    server,
  }) => {
    const mcpServers = { one: { command: 'node', args: [server], mux: { shared: true } } };
    await writeFile(config, JSON.stringify({ mcpServers }));
    const windows = [await serve({}, '--shared'), await serve({}, '--shared')];
    const [first, second] = await Promise.all(windows.map((window) => window.value('one__tree')));
    assert.deepEqual(first, second);
    assert.equal((await mcpmux('stop')).code, 0);
    assert.deepEqual(await stillRunning(first), []);
    await Promise.all(windows.map((window) => window.end()));
  },
  '`ui`: the page answers its link': async ({ serve, mcpmux }) => {
    const serving = await serve();
    const { stdout, stderr } = await mcpmux('ui', '--no-open', '--json');
    const { url } = JSON.parse(stdout || '{}');
    assert.ok((await statusOf(url ?? assert.fail(stderr))) < 400);
    await serving.end();
  },
  'stderr in an old code page, and lines that end with CRLF': async ({ serve, bin }) => {
    const serving = await serve();
    await serving.call('add_server', { name: 'a', command: 'crlf' });
    assert.match(await serving.call('server_logs', { name: 'a' }), /gr.+n/);
    await serving.end();
    assert.ok(bin);
  },
  ...USER_SITUATIONS,
};

/** The status of the answer at a url. The `fetch` of Node.js cannot connect under Wine. */
function statusOf(url) {
  return new Promise((resolve, reject) => {
    get(url, { autoSelectFamily: false }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
}

function started(command, argsOf, expected) {
  return (places) => answers(places, { command, args: argsOf(places) }, expected);
}

/** Adds a server, and compares the arguments that it got. Returns its processes. */
async function answers({ serve }, entry, expected) {
  const serving = await serve();
  await serving.call('add_server', { name: 'a', ...entry });
  const args = await serving.value('a__args');
  const pids = await serving.value('a__tree');
  assert.deepEqual(args, expected);
  assert.ok(pids.every(isRunning));
  await serving.end();
  return pids;
}

/** Adds a tree of three processes behind a batch file. */
async function tree({ serve }) {
  const serving = await serve();
  await serving.call('add_server', { name: 'a', command: 'srv', args: ['--stay', '--tree', '--tree'] });
  const pids = await serving.value('a__tree');
  assert.equal(pids.length, 3);
  return { serving, pids };
}

/** Lays out a user's folders and programs below `folder`. `single` is the command as one executable file, if there is one. */
export async function lay(folder, { cli, server, npm, shim, keyring, single }) {
  const places = {
    folder,
    server,
    single,
    bin: join(folder, 'my tools'),
    node: join(folder, 'nodejs'),
    project: join(folder, 'my project'),
    home: join(folder, 'home'),
    appData: join(folder, 'home', 'AppData', 'Roaming'),
  };
  places.config = join(places.appData, 'mcpmux', 'config.json');
  for (const path of [
    places.bin,
    places.node,
    places.project,
    join(places.home, '.cursor'),
    join(places.appData, 'mcpmux'),
  ])
    await mkdir(path, { recursive: true });
  await writeFile(places.config, '{ "mcpServers": {} }');
  await cp(process.execPath, join(places.node, 'node.exe'));
  await cp(process.execPath, join(places.bin, 'uvx.exe'));
  await cp(join(npm, 'bin', 'npx.cmd'), join(places.node, 'npx.cmd'));
  await cp(npm, join(places.node, 'node_modules', 'npm'), { recursive: true });
  const batch = `@node "${server}" %*\r\n`;
  for (const name of ['srv.cmd', 'srv.bat']) await writeFile(join(places.bin, name), batch);
  await writeFile(
    join(places.bin, 'crlf.cmd'),
    `@echo off\r\n@node -e "process.stderr.write(Buffer.from('67 72 81 6e 0d 0a'.replaceAll(' ',''), 'hex'))"\r\n${batch}`,
  );
  // A package that is installed in the project, and globally.
  const installed = join(places.project, 'node_modules');
  await mkdir(join(installed, '.bin'), { recursive: true });
  await mkdir(join(installed, 'shown'), { recursive: true });
  await mkdir(join(places.bin, 'node_modules', 'shown'), { recursive: true });
  const manifest = { name: 'shown', version: '1.0.0', bin: 'cli.mjs' };
  for (const place of [installed, join(places.bin, 'node_modules')]) {
    await writeFile(join(place, 'shown', 'package.json'), JSON.stringify(manifest));
    await writeFile(join(place, 'shown', 'cli.mjs'), await readFile(server));
  }
  // cmd.exe of Wine does not run the shims of npm, which npx starts by it; mcpmux starts them without cmd.exe.
  await writeFile(join(installed, '.bin', 'shown.cmd'), '@node "%~dp0..\\shown\\cli.mjs" %*\r\n');
  await writeFile(join(places.bin, 'shown.cmd'), shim.replace('SCRIPT', 'node_modules\\shown\\cli.mjs'));
  await writeFile(join(places.project, 'package.json'), '{ "name": "project", "version": "1.0.0" }');
  return withCommands(places, cli, keyring);
}

function withCommands(places, cli, keyring) {
  const { SystemRoot = 'C:\\windows', TEMP } = process.env;
  const path = [
    join(SystemRoot, 'system32'),
    SystemRoot,
    join(SystemRoot, 'system32', 'wbem'),
    places.node,
    places.bin,
  ];
  const env = {
    SystemRoot,
    TEMP,
    TMP: TEMP,
    ComSpec: join(SystemRoot, 'system32', 'cmd.exe'),
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    Path: path.join(';'),
    USERPROFILE: places.home,
    APPDATA: places.appData,
    LOCALAPPDATA: join(places.home, 'AppData', 'Local'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    ...(keyring !== undefined && { NAPI_RS_NATIVE_LIBRARY_PATH: keyring }),
  };
  const mcpmux = (...args) => run([cli, ...args], { env, cwd: places.home });
  const running = [];
  const startServing = async (entry) => {
    const serving = await Serving.start({ env, cwd: places.home, ...entry });
    running.push(serving);
    return serving;
  };
  const serve = (extra = {}, ...flags) =>
    startServing({ args: [cli, 'serve', ...flags], env: { ...env, ...extra } });
  const serveSingle = () => startServing({ command: places.single, args: ['serve'] });
  /** Ends what a situation that failed has left. */
  const clear = async () => {
    for (const serving of running.splice(0)) serving.child.kill();
    await writeFile(places.config, '{ "mcpServers": {} }');
  };
  return { ...places, cli, env, mcpmux, serve, serveSingle, clear, file: cli };
}

/** Plays all situations, and writes the result of each at once. */
export async function play(places, results, only) {
  const situations = { ...SITUATIONS, ...(places.single !== undefined && SINGLE_FILE_SITUATIONS) };
  for (const [title, situation] of Object.entries(situations)) {
    if (only !== undefined && !title.includes(only)) continue;
    const began = performance.now();
    const limit = new Promise((resolve) =>
      setTimeout(resolve, LIMIT_MS, `longer than ${LIMIT_MS} ms`).unref(),
    );
    const problem = await Promise.race([problemOf(situation, places), limit]);
    await places.clear();
    await appendFile(
      results,
      `${JSON.stringify({ title, problem, ms: Math.round(performance.now() - began) })}\n`,
    );
  }
}

async function problemOf(situation, places) {
  try {
    await situation(places);
    return undefined;
  } catch (error) {
    return String(error?.stack ?? error);
  }
}
