import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { NODE } from './testing/built-cli.js';
import { flaws, PageBrowser, sideways } from './testing/page-browser.js';
import { HostileWeb, markup } from './testing/hostile-web.js';

/** The name of the server in the config. */
const SERVER = `<img src=x onerror="window.ran='server.key'">`;
/** The fields of servers, of a client, of the registry and of a pasted config that the page shows. */
const FIELDS = `
  argument.description argument.name audio.mimeType blob.uri block.member block.type changed.description
  client.name config.command config.name config.token crash.stderr embedded.mimeType embedded.text embedded.uri error
  got.description got.role got.text image.mimeType instructions link.description link.mimeType link.name link.title
  link.uri log.data log.logger output.description output.name parameter.default parameter.description parameter.enum
  parameter.name parameter.pattern parameter.title progress prompt.description prompt.icon prompt.icon-data prompt.name
  prompt.title question.choice question.default question.description question.enumName question.many question.message
  question.name question.plain question.title read.mimeType read.text read.uri refusal registry.about
  registry.argument registry.default registry.description registry.identifier registry.message registry.name
  registry.secret registry.status registry.type registry.url registry.variable registry.version resource.description
  resource.icon resource.icon-data resource.mimeType resource.name resource.title resource.uri sampling.hint sampling.systemPrompt sampling.text server.key
  stderr stdout structured.name structured.value template.description template.name template.title template.uri text
  tool.annotation tool.description tool.hint tool.icon tool.icon-data tool.schema tool.title visit.message visit.url
  warning
`
  .trim()
  .split(/\s+/);
const PROGRAM = fileURLToPath(new URL('testing/scripting-server.mjs', import.meta.url));
/** The texts that a person sees, those in controls included, and the elements that act. */
const LOOK = `(() => {
  const controls = [...document.querySelectorAll('input, textarea')];
  const texts = [document.body.innerText, ...controls.flatMap(({ value, placeholder }) => [value, placeholder])];
  const acting = 'img, iframe, object, embed, base, meta[http-equiv], script:not([src]), [onerror], [onload], ' +
    '[href^="javascript" i], [href^="data" i], [src^="javascript" i], [src^="data" i]';
  return { text: texts.join('\\n'), acting: [...document.querySelectorAll(acting)].map(({ outerHTML }) => outerHTML) };
})()`;

describe.skipIf(CHROMIUM === undefined)(`the page with hostile servers and pages${NO_CHROMIUM}`, () => {
  /** The fields whose markup was shown as text. */
  const shown = new Set<string>();
  let state: string;
  let opened: PageBrowser;
  let page: Page;
  let web: HostileWeb;
  let client: Client;

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'mcpmux-state-'));
    web = await HostileWeb.open();
    const program = { command: NODE, args: [PROGRAM] };
    const crashing = {
      command: NODE,
      args: ['-e', `console.error(${JSON.stringify(markup('crash.stderr'))}); process.exit(3)`],
    };
    opened = await PageBrowser.open({
      servers: {
        [SERVER]: program,
        '<b>crashing</b>': crashing,
        refusing: { command: NODE, args: [PROGRAM, 'refuse'] },
        bare: { command: NODE, args: [PROGRAM, 'bare'] },
      },
      args: ['--pin-tools', 'block'],
      env: { MCPMUX_REGISTRY: web.origin, XDG_STATE_HOME: state },
    });
    ({ page } = opened);
    await opened.running('bare');
    client = new Client({ name: markup('client.name'), version: markup('client.version') });
    await client.connect(new StreamableHTTPClientTransport(opened.mux.url));
  });

  afterAll(async () => {
    await client?.close();
    await opened?.[Symbol.asyncDispose]();
    web?.[Symbol.dispose]();
    await rm(state, { recursive: true, force: true });
  });

  /** The elements that markup has become. Also notes which texts are shown. */
  async function acting(): Promise<readonly string[]> {
    const seen = await page.evaluate<{ text: string; acting: readonly string[] }>(LOOK);
    for (const [, field = ''] of seen.text.matchAll(/ran='([\w.-]+)'/g)) shown.add(field);
    return seen.acting;
  }

  /** Calls a tool of the server as a client. The client of the SDK refuses some of the results: it does not read them. */
  async function callAsClient(tool: string): Promise<void> {
    const { tools } = await client.listTools();
    const name = tools.find((one) => one.name.includes(`__${tool}`))?.name;
    await client.request({ method: 'tools/call', params: { name, arguments: {} } }, ResultSchema);
  }

  async function call(tool: string): Promise<void> {
    const button = page.locator('li button.link', { hasText: `__${tool}` });
    await button.click();
    await page.getByRole('button', { name: new RegExp(`^Call .*__${tool}`) }).click();
  }

  function question(): Locator {
    return page.locator('.question');
  }

  it('texts of servers that run, crash and refuse stay text in the list and in the details', async () => {
    await page.getByText('refusal').first().waitFor();
    for (const button of await page.locator('td button.link').all()) {
      await button.click();
      await page.locator('.side h3').first().waitFor();
      expect(await acting()).toEqual([]);
    }
    await opened.show('Logs');
    await page.locator('ol.log li').filter({ hasText: "ran='stdout'" }).first().waitFor();
    expect(await acting()).toEqual([]);
    for (const view of ['Clients', 'Health'] as const) {
      await opened.show(view);
      expect(await acting()).toEqual([]);
    }
  });

  it('definitions and what prompts and resources give stay text', async () => {
    await opened.show('Tools');
    for (const kind of ['Templates', 'Prompts', 'Resources', 'Tools']) {
      await page.getByRole('button', { name: kind, exact: true }).click();
      await page.locator('li button.link').last().click();
      expect(await acting()).toEqual([]);
      await page.getByText('Definition', { exact: true }).click();
      expect(await acting()).toEqual([]);
      const get = page.getByRole('button', { name: /^Get the prompt|^Read the resource/ });
      if ((await get.count()) === 0) continue;
      await get.click();
      await page.getByRole('group', { name: 'Result' }).waitFor();
      expect(await acting()).toEqual([]);
      expect(await flaws(page, kind)).toEqual([]);
    }
  });

  it('results, errors and progress stay text', async () => {
    await call('blocks');
    await page.getByText('Structured content').click();
    expect(await acting()).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    await call('fail');
    await page.getByRole('alert').filter({ hasText: "ran='error'" }).waitFor();
    expect(await acting()).toEqual([]);
    await call('wait');
    await page.getByRole('status').filter({ hasText: "ran='progress'" }).waitFor();
    expect(await acting()).toEqual([]);
    await callAsClient('turn');
    await page.getByRole('group', { name: 'Result' }).waitFor();
  });

  it('a changed definition stays text', async () => {
    const changed = page.getByRole('region', { name: 'Changed definitions' });
    await changed.locator('summary').first().click();
    await changed.locator('.plus').first().waitFor();
    expect(await acting()).toEqual([]);
  });

  it('questions stay text, and an address that runs a script is not opened', async () => {
    for (const tool of ['visit', 'form', 'sample']) {
      await call(tool);
      await question().waitFor();
      expect(await acting()).toEqual([]);
      expect(await question().locator('a').count()).toBe(0);
      expect(await (tool === 'sample' ? flaws(page, 'Sample') : sideways(page))).toEqual([]);
      if (tool === 'sample') await question().getByLabel('The answer of the model').fill('an answer');
      await question()
        .getByRole('button', { name: tool === 'sample' ? 'Answer' : 'Decline' })
        .click();
      await page.getByText('The tool has failed').waitFor();
    }
    await opened.show('Calls');
    await page.locator('td button.link').first().click();
    await page.getByRole('group', { name: 'Result' }).waitFor();
    expect(await acting()).toEqual([]);
  });

  it('the name and the messages of a client stay text', async () => {
    await opened.show('Clients');
    await page.locator('td button.link').first().click();
    await page.getByText('No message since').waitFor();
    await client.setLoggingLevel('debug');
    await callAsClient('blocks');
    // The answer contains the instructions of the server.
    await client.callTool({ name: 'reload_server', arguments: { name: 'bare' } });
    await page.locator('.timeline li', { hasText: 'result tools/call' }).nth(1).waitFor();
    for (const summary of await page.locator('.timeline summary').all()) await summary.click();
    expect(await acting()).toEqual([]);
  });

  it('texts of the registry and a change to the config stay text', async () => {
    await opened.show('Add a server');
    await page.getByLabel('Search the registry').fill('leak');
    await page.keyboard.press('Enter');
    await page.getByText('1 found.').waitFor();
    await page.getByRole('button', { name: /^Use npm/ }).click();
    expect(await acting()).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    await page.getByRole('button', { name: 'Fill in the form' }).click();
    await page.getByRole('form').waitFor({ state: 'detached' });
    expect(await acting()).toEqual([]);
    await page.getByRole('button', { name: 'Show the change' }).click();
    const change = page.getByRole('group', { name: 'Change to the config' });

    await change.getByText("ran='registry.variable'").waitFor();
    expect(await acting()).toEqual([]);
    const entry = { command: markup('config.command'), env: { [markup('config.token')]: 'hunter2hunter2' } };
    await page.getByLabel(/pasted block/).fill(JSON.stringify({ mcpServers: { 'a-name': entry } }));
    await page.getByRole('button', { name: 'Show the change' }).click();
    await change.getByText("ran='config.command'").waitFor();
    expect(await acting()).toEqual([]);
    await page
      .getByLabel(/pasted block/)
      .fill(JSON.stringify({ mcpServers: { [markup('config.name')]: [] } }));
    await page.getByRole('button', { name: 'Show the change' }).click();
    await page.getByRole('alert').filter({ hasText: "ran='config.name'" }).waitFor();
    expect(await acting()).toEqual([]);
  });

  it('each text was shown, no script has run, and no request has left', async () => {
    expect([...shown]).toEqual(expect.arrayContaining(FIELDS));
    expect(await page.evaluate('window.ran')).toBeUndefined();
    // Chromium notes the change that was refused.
    expect(opened.seen.problems).toEqual([expect.stringContaining('409 (Conflict)')]);
    expect([...opened.seen.hosts]).toEqual([opened.mux.url.host]);
  });

  it('a link that was used opens nothing in another browser', async () => {
    await using other = await opened.browser.newContext();
    const replayed = await other.newPage();
    await replayed.goto(opened.link);
    await replayed.getByRole('alert').waitFor();
    expect(await replayed.getByRole('alert').textContent()).toContain('used already');
    expect(await other.cookies()).toEqual([]);
    expect(await flaws(replayed, 'Closed')).toEqual([]);
  });

  it('another origin of this machine cannot frame the page', async () => {
    await using other = await opened.context.newPage();
    web.html = `<!doctype html><iframe src="${opened.mux.url.origin}/ui/"></iframe>`;
    const refused = other.waitForEvent('requestfailed', (request) => request.frame() !== other.mainFrame());
    await other.goto(web.origin);
    const request = await refused;
    expect(request.url()).toBe(`${opened.mux.url.origin}/ui/`);
    expect(request.failure()?.errorText).toBe('net::ERR_BLOCKED_BY_RESPONSE');
  });

  it('another origin of this machine neither reads nor changes anything', async () => {
    await using other = await opened.context.newPage();
    web.html = '<!doctype html>';
    await other.goto(web.origin);
    const { origin } = opened.mux.url;
    const read = `fetch('${origin}/ui/api/overview', { credentials: 'include' })
      .then((answer) => answer.text(), () => 'refused')`;
    expect(await other.evaluate(read)).toBe('refused');
    const pid = page.getByRole('row', { name: /^bare/ }).locator('[data-label="Process"]');
    await opened.show('Servers');
    const before = await pid.textContent();
    const answered = other.waitForResponse(`${origin}/ui/api/remove`);
    const posted = `fetch('${origin}/ui/api/remove', { method: 'POST', mode: 'no-cors',
      credentials: 'include', body: JSON.stringify({ name: 'bare' }) }).then(() => 'sent')`;
    expect(await other.evaluate(posted)).toBe('sent');
    expect((await answered).status()).toBe(403);
    // The list of a page that is loaded now is not an earlier one.
    await page.reload();
    await opened.running('bare');
    expect(await pid.textContent()).toBe(before);
  });
});
