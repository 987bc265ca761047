import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser, show } from './testing/page-browser.js';

const MCP = '**/ui/api/mcp*';
const EVENTS = '**/ui/api/events*';

const IS_FOCUSED = (one: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean =>
  one === one.ownerDocument.activeElement;

/** What a test lets happen later. */
function later(): { readonly comes: Promise<void>; readonly now: () => void } {
  let now = (): void => undefined;
  const comes = new Promise<void>((resolve) => (now = resolve));
  return { comes, now };
}

/** Answers with lines of JSON, and the stream ends. */
function inLines(route: Route, ...values: readonly object[]): Promise<void> {
  const body = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  return route.fulfill({ contentType: 'application/x-ndjson', body });
}

/** The members of a request of MCP. */
function sent(route: Route): { readonly id: number; readonly method: string; readonly params: object } {
  return route.request().postDataJSON() as ReturnType<typeof sent>;
}

/** The page has done what follows from all that has come. */
async function settled(page: Page): Promise<void> {
  const frame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
  for (let number = 0; number < 3; number += 1) await page.evaluate(frame);
}

describe.skipIf(CHROMIUM === undefined)(`answers that come late to the page${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    opened = await PageBrowser.open({
      servers: { echo: fixtureServer('echo'), asking: fixtureServer('modern-asking') },
    });
    await opened.running('echo', 'asking');
    ({ context } = opened);
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  // Each page has a stream, and browsers open few connections to a host.
  afterEach(() => page.close());

  async function tab(view: string): Promise<void> {
    page = await context.newPage();
    await page.goto(`${opened.mux.url.origin}/ui/#/${view}`);
  }

  it('a list that comes after the user has chosen another one does not take its place', async () => {
    await tab('servers');
    const [asked, answer, answered] = [later(), later(), later()];
    await page.route(MCP, async (route) => {
      if (sent(route).method !== 'tools/list') return route.fallback();
      asked.now();
      await answer.comes;
      await route.fulfill({ response: await route.fetch() });
      answered.now();
    });
    await show(page, 'Tools');
    await asked.comes;
    await page.getByRole('button', { name: 'Prompts' }).click();
    const status = page.getByRole('main').locator('.totals');
    await expect.poll(() => status.textContent()).toContain('1 of 1');
    answer.now();
    await answered.comes;
    await settled(page);
    expect(await status.textContent()).toContain('1 of 1');
    await page.getByRole('button', { name: 'asking__asks' }).waitFor();
  });

  it('a tool is opened and closed by its name', async () => {
    await tab('tools');
    const tool = page.getByRole('button', { name: 'echo__echo', exact: true });
    await tool.click();
    await page.getByRole('region', { name: 'echo__echo' }).waitFor();
    expect(await tool.getAttribute('aria-expanded')).toBe('true');
    await tool.click();
    await page.getByRole('region', { name: 'echo__echo' }).waitFor({ state: 'detached' });
  });

  /** Calls of which each batch has more. The stream ends after each batch, and goes on once that one is let come. */
  async function calls(...sizes: readonly number[]): Promise<readonly ReturnType<typeof later>[]> {
    const batches = sizes.map((size) => Object.assign(later(), { size }));
    let [number, call] = [0, 0];
    await page.route(EVENTS, async (route) => {
      const batch = batches[number];
      number += 1;
      await batch?.comes;
      const all = Array.from({ length: batch?.size ?? 0 }, () => {
        call += 1;
        const about = { call, time: Date.now(), server: 'echo', tool: `tool${call}`, session: 1 };
        return { ...about, sent: 1, received: 1, ms: 1, ending: 'result', hasContent: true };
      });
      await inLines(route, { events: [], calls: all, missed: 0, unlisted: 0, at: { event: 0, calls: 'x' } });
    });
    await page.route('**/ui/api/call?*', (route) =>
      route.fulfill({ json: { arguments: '{"kept":true}', result: '{"content":[]}' } }),
    );
    return batches;
  }

  it('a call stays open once later calls have taken its place in the list, and a paused one can be opened', async () => {
    page = await context.newPage();
    const [first, second, third] = await calls(2, 500, 500);
    first?.now();
    await page.goto(`${opened.mux.url.origin}/ui/#/calls`);
    await page.getByRole('button', { name: 'tool1', exact: true }).click();
    const content = page.getByRole('group', { name: 'Arguments' });
    await expect.poll(() => content.textContent()).toContain('kept');
    second?.now();
    await page.getByRole('button', { name: 'tool502', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'tool1', exact: true }).count()).toBe(1);
    expect(await content.textContent()).toContain('kept');
    await page.getByRole('button', { name: 'Pause' }).click();
    const next = page.waitForRequest(EVENTS);
    third?.now();
    await next;
    await settled(page);
    await page.getByRole('button', { name: 'tool502', exact: true }).click();
    await page.getByRole('region', { name: 'tool502', exact: true }).waitFor();
    await expect.poll(() => content.textContent()).toContain('kept');
  });

  it('a change is written once, also by a double click, and a refusal is an alert', async () => {
    await tab('add');
    const answer = later();
    const written: unknown[] = [];
    await page.route('**/ui/api/config', async (route) => {
      const body = route.request().postDataJSON() as { readonly dryRun?: boolean };
      if (body.dryRun === true) return route.fallback();
      written.push(body);
      await answer.comes;
      await route.fulfill({ status: 409, json: { error: 'The config has changed.' } });
    });
    await page.getByLabel('Name').fill('second');
    await page.getByLabel(/pasted block/).fill(JSON.stringify(fixtureServer('echo')));
    await page.getByRole('button', { name: 'Show the change' }).click();
    const write = page.getByRole('button', { name: 'Write it' });
    await write.dblclick();
    expect(await write.getAttribute('aria-disabled')).toBe('true');
    answer.now();
    await page.getByRole('alert').getByText('The config has changed.').waitFor();
    expect(written).toHaveLength(1);
    expect(await write.getAttribute('aria-disabled')).toBe('false');
    expect(await flaws(page, 'Refused change')).toEqual([]);
  });

  it('the progress of a call is announced at most once a second', async () => {
    await tab('tools');
    await page.route(MCP, async (route) => {
      const { id, method, params } = sent(route);
      if (method !== 'tools/call') return route.fallback();
      const { _meta } = params as { readonly _meta: { readonly progressToken: string } };
      const progress = Array.from({ length: 1000 }, (_, at) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: at + 1 },
      }));
      await inLines(route, ...progress, { jsonrpc: '2.0', id, result: { content: [] } });
    });
    await page.getByLabel('Search').fill('echo__echo');
    await page.getByRole('button', { name: 'echo__echo', exact: true }).click();
    await page.getByLabel(/^message/).waitFor();
    await page.evaluate(`(() => {
      window.said = [];
      const status = document.querySelector('section.side [role=status]');
      new MutationObserver(() => said.push(status.textContent)).observe(status, {
        childList: true, characterData: true, subtree: true,
      });
      window.begun = performance.now();
    })()`);
    await page.getByLabel(/^message/).fill('x');
    await page.getByRole('button', { name: 'Call echo__echo' }).click();
    await page.getByText(/^Answered after/).waitFor();
    const seconds = await page.evaluate<number>('(performance.now() - window.begun) / 1000');
    const said = await page.evaluate<readonly string[]>('window.said');
    const progress = said.filter((text) => text.startsWith('Progress'));
    expect(progress[0]).toContain('Progress 1');
    expect(progress.length).toBeLessThanOrEqual(1 + seconds);
  });

  it('a question that follows another one has the focus, and says which one it is', async () => {
    await tab('tools');
    const form = (message: string): object => ({
      method: 'elicitation/create',
      params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
    });
    const answers: unknown[] = [];
    await page.route(MCP, async (route) => {
      const { id, method, params } = sent(route);
      if (method !== 'tools/call') return route.fallback();
      const { inputResponses } = params as { readonly inputResponses?: object };
      answers.push(inputResponses);
      const questions = { a: form('One?'), b: form('Two?'), c: form('Three?') };
      const asks = { resultType: 'input_required', inputRequests: questions, requestState: 's' };
      await inLines(route, {
        jsonrpc: '2.0',
        id,
        result: inputResponses === undefined ? asks : { content: [{ type: 'text', text: 'done' }] },
      });
    });
    await page.getByLabel('Search').fill('asking__form');
    await page.getByRole('button', { name: 'asking__form', exact: true }).click();
    await page.getByRole('button', { name: 'Call asking__form' }).click();
    const question = (number: number): Locator =>
      page.getByRole('group', { name: `Question ${number} of 3. Question of the server asking` });
    const decline = (number: number): Promise<void> =>
      question(number).getByRole('button', { name: 'Decline' }).press('Enter');
    await question(1).getByText('One?').waitFor();
    await decline(1);
    await question(2).getByText('Two?').waitFor();
    expect(await question(2).evaluate(IS_FOCUSED)).toBe(true);
    expect(await flaws(page, 'Second question')).toEqual([]);
    await decline(2);
    await question(3).getByText('Three?').waitFor();
    expect(await question(3).evaluate(IS_FOCUSED)).toBe(true);
    await decline(3);
    await page.getByRole('group', { name: 'Result' }).getByText('done').waitFor();
    const declined = { action: 'decline' };
    expect(answers).toEqual([undefined, { a: declined, b: declined, c: declined }]);
  });

  it('the messages of a client go on after an interruption, and the end of the client is told apart', async () => {
    page = await context.newPage();
    await page.route('**/ui/api/overview', async (route) => {
      const response = await route.fetch();
      const client = {
        session: 7,
        client: 'late',
        capabilities: [],
        principal: '',
        connected_seconds: 1,
        in_flight: 0,
      };
      await route.fulfill({ response, json: { ...((await response.json()) as object), clients: [client] } });
    });
    const [back, gone] = [later(), later()];
    const message = {
      time: Date.now(),
      from: 'client',
      kind: 'request',
      id: '1',
      method: 'tools/list',
      bytes: 9,
    };
    let tries = 0;
    await page.route('**/ui/api/messages?*', async (route) => {
      tries += 1;
      if (tries === 1) return route.abort('connectionreset');
      if (tries === 2) {
        await back.comes;
        return inLines(route, { messages: [message], missed: 0 });
      }
      await gone.comes;
      await route.fulfill({ status: 404, json: { error: 'No client with this session is connected.' } });
    });
    await page.goto(`${opened.mux.url.origin}/ui/#/clients`);
    await page.getByRole('button', { name: 'late' }).click();
    const timeline = page.getByRole('region', { name: 'Messages of late' });
    await timeline.getByRole('alert').getByText('mcpmux does not answer').waitFor();
    back.now();
    await timeline.getByText('tools/list').waitFor();
    await timeline.getByText('are not listed').waitFor();
    expect(await timeline.getByRole('alert').count()).toBe(0);
    gone.now();
    await timeline.getByText('The client has gone.').waitFor();
    expect(tries).toBe(3);
  });

  it('the log of a server that is chosen is read, also if the page has no line of it', async () => {
    page = await context.newPage();
    const asked: string[] = [];
    await page.route('**/ui/api/log?*', async (route) => {
      const server = new URL(route.request().url()).searchParams.get('server') ?? '';
      asked.push(server);
      const isLater = asked.filter((one) => one === server).length > 1;
      const entries = isLater ? [{ seconds_ago: 9, text: `from ${server}`, kind: 'stderr' }] : [];
      await route.fulfill({ json: { entries, lastEvent: 1000 } });
    });
    await page.goto(`${opened.mux.url.origin}/ui/#/logs`);
    await page.getByText('No server has written anything.').waitFor();
    await page.getByLabel('Server').selectOption('echo');
    await page.getByText('from echo').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
    expect(asked.filter((one) => one === 'asking')).toHaveLength(1);
  });
});
