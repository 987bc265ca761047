import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { LoginGate } from '@mcpmux/test-servers/login-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Newcomer } from './testing/newcomer.js';
import { stepsOf, type PageStep } from './testing/page-commands.js';
import { Person } from './testing/person.js';
import { standInVariables } from './testing/stand-ins.js';

const WEATHER = fileURLToPath(new URL('testing/weather-server.mjs', import.meta.url));
const LOGIN_PAGE = /http:\/\/127\.0\.0\.1\S+\/authorize\S+/;
/** A span that names a command and is no step: what to type follows in the page, or is typed into a client's file. */
const MENTION = /^mcpmux (?:add|serve|serve --http|logout|install|login NAME)$/;
/** Settings for the file of a client. */
const OF_CLIENT = /"mcpmux": \{|"mux": \{ "url"/;

const QUESTIONS: readonly (readonly [question: string, ...pages: string[]])[] = [
  ['How do I give Codex a GitHub token?', 'guides/codex.md', 'guides/secrets.md'],
  ['Why is my tool not listed?', 'troubleshooting.md'],
  ['How do I limit what an agent may add?', 'guides/limit-an-agent.md'],
  ['My server needs OAuth.', 'guides/login.md'],
  ['I want Cursor and Claude to share servers.', 'shared.md'],
  ['A team server with sign-in.', 'guides/team.md'],
  ['Too many tools.', 'guides/less-context.md'],
  ['I write a server and want to hot-reload it.', 'guides/write-a-server.md'],
  ['How do I upgrade and go back? How do I remove everything?', 'upgrade.md'],
];

/** Programs of the pages that go on: each is ended when it has printed this. */
const ENDLESS: readonly (readonly [line: RegExp, printed: RegExp])[] = [
  [/^mcpmux serve /, /serving MCP at|the servers of the config are ready/],
  [/ logs .* -f$/, /\n/],
];
/** Exit codes other than 0 that are right: no window shares a mcpmux here. */
const KNOWN_CODES: readonly (readonly [line: RegExp, code: number])[] = [
  [/ (?:stop|restart)$/, 4],
  // The server wants a login, which is the next step of the page.
  [/^mcpmux add docs /, 4],
  // The ids of the page are examples: no command waits here.
  [/^mcpmux approve \S/, 6],
];
const CONFIG = {
  profiles: { work: ['echo'] },
  mcpServers: { echo: { command: 'mcpmux-echo' }, weather: { command: process.execPath, args: [WEATHER] } },
};

let person: Person;
let newcomer: Newcomer;
/** A server at a url, and the login that it wants. */
let gated: readonly [server: RemoteServer, login: LoginGate] | undefined;

beforeAll(async () => {
  person = await Person.arrive();
  newcomer = await Newcomer.of(person, standInVariables(person));
  const far = await RemoteServer.open();
  gated = [far, new LoginGate(far)];
}, 120_000);

afterAll(async () => {
  await gated?.[0][Symbol.asyncDispose]();
  await person[Symbol.asyncDispose]();
});

// the pages have lines for a shell of POSIX
it.skipIf(process.platform === 'win32').each(QUESTIONS)(
  '%s Each step and each suggestion works',
  { timeout: 300_000 },
  async (_, ...pages) => {
    for (const page of pages) {
      await person.configure(CONFIG);
      await person.write('.cursor/mcp.json', { mcpServers: { other: { command: 'mcpmux-echo' } } });
      const mcpmux = await newcomer.starts('mcpmux serve', /the servers of the config are ready/);
      const steps = await stepsOf(page);
      expect(steps.length).toBeGreaterThan(3);
      const failed: string[] = [];
      try {
        for (const step of steps) failed.push(...(await tried(step)));
      } finally {
        mcpmux.kill();
        await mcpmux.ended;
      }
      const misled = newcomer.misled.splice(0);
      expect({ page, failed, misled }).toEqual({ page, failed: [], misled: [] });
    }
  },
);

/** Takes a step of a page as its reader does. Returns what went wrong. */
async function tried(step: PageStep): Promise<readonly string[]> {
  if (step.kind === 'settings') return OF_CLIENT.test(step.text) ? [] : changed(step.text);
  if (MENTION.test(step.line)) return [];
  const line = filled(step.line);
  const [, printed] = ENDLESS.find(([pattern]) => pattern.test(line)) ?? [];
  if (printed !== undefined) {
    const started = await newcomer.starts(line, printed);
    started.kill();
    await started.ended;
    return [];
  }
  if (line.startsWith('mcpmux login ')) return loggedIn(line);
  // A login is of use after the reload, which is the next step of the page.
  const isLogin = line.includes('| mcpmux login ');
  const { code, stdout, stderr } = isLogin
    ? await newcomer.runs(line, true)
    : await newcomer.does(line, true);
  const [, known] = KNOWN_CODES.find(([pattern]) => pattern.test(line)) ?? [];
  return code === (known ?? 0) ? [] : [`${line} ended with ${code}:\n${stdout}${stderr}`];
}

/** Puts settings of a page into the config. */
async function changed(text: string): Promise<readonly string[]> {
  const config = JSON.parse(await person.read('.config/mcpmux/config.json')) as typeof CONFIG;
  const settings = JSON.parse(text) as Partial<typeof CONFIG>;
  await person.configure({
    ...config,
    ...settings,
    mcpServers: { ...config.mcpServers, ...settings.mcpServers },
  });
  const problems = await tried({ kind: 'command', line: 'mcpmux config validate' });
  return [...problems, ...(await tried({ kind: 'command', line: 'mcpmux reload' }))];
}

/** Logs in as a person with a browser does. */
async function loggedIn(line: string): Promise<readonly string[]> {
  const login = await newcomer.starts(line, LOGIN_PAGE);
  if (line.includes('--no-browser')) {
    // The browser is elsewhere, and nobody pastes its address here.
    login.kill();
    await login.ended;
    return [];
  }
  await (await fetch(login.found)).text();
  const code = await login.ended;
  return code === 0 ? [] : [`${line} ended with ${code}`];
}

/** Writes a reader's own words into a line, and answers its questions. */
function filled(line: string): string {
  const own = line
    .replace('add NAME', 'add boxed')
    .replaceAll(/\bNAME\b/g, 'echo')
    .replaceAll(/\bCLIENT\b/g, 'cursor')
    .replace('oci:IMAGE', 'oci:alpine')
    .replace(/^(mcpmux login .*) < FILE$/, 'cat .local/state/mcpmux/logins/*.json | $1')
    .replace('https://mcp.example.com/mcp', gated?.[0].url ?? '')
    .replace(/--http(?: 0\.0\.0\.0:8080)?(?= |$)/, '--http 127.0.0.1:0');
  const save = 'echo of-the-page | mcpmux secret set GITHUB_TOKEN';
  if (own.includes('secret set')) return save;
  // The following steps of the page need the secret.
  if (own.includes('secret remove')) return `${own} && ${save}`;
  return /(?:mcpmux|@mcpmux\/cli\S*) (?:install|import|uninstall)\b(?!.*--print)/.test(own)
    ? `${own} --yes`
    : own;
}
