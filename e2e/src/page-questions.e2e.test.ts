import { fileURLToPath } from 'node:url';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

const PROGRAM = fileURLToPath(new URL('testing/asking-server.mjs', import.meta.url));
const REJECTED = { error: { code: -1, message: 'User rejected sampling request' } };

describe.skipIf(CHROMIUM === undefined)(`questions of servers on the page${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let page: Page;

  beforeAll(async () => {
    opened = await PageBrowser.open({
      servers: {
        legacy: { command: NODE, args: [PROGRAM] },
        modern: fixtureServer('modern-asking'),
        waiting: fixtureServer('modern'),
      },
    });
    ({ page } = opened);
    await opened.running('legacy', 'modern', 'waiting');
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  /** Calls a tool in a fresh form. */
  async function call(tool: string): Promise<void> {
    await opened.show('Servers');
    await opened.show('Tools');
    await page.getByLabel('Search').fill(tool);
    await page.getByRole('button', { name: tool, exact: true }).click();
    await page.getByRole('button', { name: `Call ${tool}` }).click();
  }

  function sampling(server: string): Locator {
    return page.getByRole('group', { name: `The server asks for a completion: ${server}` });
  }

  function status(): Locator {
    return page.getByRole('region').getByRole('status');
  }

  function problem(): Locator {
    return page.getByRole('region').getByRole('alert');
  }

  async function said(): Promise<unknown> {
    const text = page.getByRole('group', { name: 'Result' }).getByRole('group', { name: 'Text' }).first();
    await text.waitFor();
    return JSON.parse((await text.textContent()) ?? '');
  }

  it('a sampling request is shown with all that the server asks, as text', async () => {
    await call('legacy__sample');
    const question = sampling('legacy');
    await question.getByText('legacy asks for the answer of a model').waitFor();
    const text = (await question.textContent()) ?? '';
    for (const part of [
      'Be brief <img src=x',
      'user · text',
      'What is the weather? <img src=x',
      'assistant · audio',
      'audio/wav, 3 B',
      'user · image',
      'image/svg+xml, 3 B',
      'Most tokens of the answer20',
      'Temperature0.5',
      'Stop sequences["END"]',
      'Contextnone',
      'Metadata{"topic":"weather"}',
      'Preferred modelssmall-model',
      'Priority of cost0.3',
    ])
      expect(text).toContain(part);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await flaws(page, 'Sampling')).toEqual([]);
  });

  it('a person who answers a sampling request is named as its model, within the tokens that it allows', async () => {
    await call('legacy__sample');
    const question = sampling('legacy');
    const answer = question.getByLabel('The answer of the model');
    await answer.fill('x'.repeat(81));
    await question.getByRole('button', { name: 'Answer' }).click();
    await question.getByText('At most 80 characters are allowed').waitFor();
    await answer.fill('Rain');
    await question.getByRole('button', { name: 'Answer' }).click();
    expect(await said()).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'Rain' },
      model: 'a person on the page of mcpmux',
      stopReason: 'endTurn',
    });
  });

  it('a sampling request that is declined is an error for a legacy server, and the end of a call of a modern one', async () => {
    await call('legacy__sample');
    await sampling('legacy').getByRole('button', { name: 'Decline' }).click();
    expect(await said()).toEqual(REJECTED);
    await call('modern__sample');
    await sampling('modern').getByRole('button', { name: 'Decline' }).click();
    await expect
      .poll(() => problem().textContent())
      .toBe('Server "modern" needs input for this, and the user has refused.');
  });

  it.each([
    ['legacy', 'form', 'Question of the server', '[another] Your name?'],
    ['modern', 'form', 'Question of the server', 'Your name?'],
    ['legacy', 'visit', 'The server asks you to visit a page:', 'Log in'],
    ['modern', 'url', 'The server asks you to visit a page:', 'Log in'],
  ])(
    'a question of %s names its server, also if it begins with another name: %s',
    async (server, tool, label, message) => {
      await call(`${server}__${tool}`);
      const question = page.getByRole('group', { name: `${label} ${server}`, exact: true });
      await question.getByText(message).waitFor();
      expect(await question.locator('p').first().textContent()).toMatch(new RegExp(`^${server} asks`));
      expect(await question.textContent()).not.toContain(`[${server}]`);
      await question.getByRole('button', { name: 'Decline' }).click();
      const result = page.getByRole('group', { name: 'Result' });
      await expect.poll(() => result.textContent()).toContain('"action": "decline"');
    },
  );

  it('a call in flight is cancelled, and its server is told, in both eras', async () => {
    for (const tool of ['legacy__hold', 'waiting__wait']) {
      await call(tool);
      await page.getByRole('button', { name: 'Cancel the request' }).click();
      await expect.poll(() => status().textContent()).toMatch(/^Cancelled after .* is dropped\.$/);
      expect(await page.getByRole('button', { name: 'Cancel the request' }).count()).toBe(0);
    }
    await call('legacy__heard');
    expect(await said()).toContainEqual({ cancelled: 'hold' });
    await call('waiting__heard');
    const heard = page.getByRole('group', { name: 'Result' });
    await expect.poll(() => heard.textContent()).toContain('notifications/cancelled');
  });

  it('a call whose question waits is cancelled, and so is one whose form the user leaves', async () => {
    await call('legacy__form');
    await page.getByRole('button', { name: 'Cancel the request' }).click();
    await expect.poll(() => status().textContent()).toMatch(/^Cancelled after/);
    expect(await page.getByRole('group', { name: 'Question of the server' }).count()).toBe(0);
    await call('legacy__visit');
    await page.getByRole('group', { name: 'The server asks you to visit a page: legacy' }).waitFor();
    const heard = async (): Promise<unknown> => {
      await call('legacy__heard');
      return said();
    };
    await expect.poll(heard).toEqual(expect.arrayContaining([{ cancelled: 'form' }, { cancelled: 'visit' }]));
  });

  it('a second request waits until the first is answered or cancelled', async () => {
    await call('legacy__hold');
    await page.getByRole('button', { name: /^Calling for \d+ s/ }).click();
    await expect.poll(() => status().textContent()).toContain('Cancel it first');
    await page.getByRole('button', { name: 'Cancel the request' }).click();
    await expect.poll(() => status().textContent()).toMatch(/^Cancelled/);
  });

  it('a server that asks for another try is called again, and one that asks the same for ever is given up', async () => {
    await call('modern__state_only');
    expect(await said()).toEqual({ isSame: true });
    await call('modern__for_ever');
    for (let round = 0; round < 10; round += 1) {
      const question = page.getByRole('group', { name: 'Question of the server modern' });
      const form = await question.elementHandle();
      await question.getByRole('button', { name: 'Decline' }).click();
      await form?.waitForElementState('hidden');
    }
    await expect.poll(() => problem().textContent()).toContain('has asked the same 10 times in a row');
  });

  it.each([
    ['null', 'no content block'],
    ['text', 'content, which is no list'],
    ['none', '"resultType"'],
    ['media', 'image/png, 0 B'],
  ])('a result in a shape that MCP does not have is shown as it is: %s', async (as, text) => {
    await opened.show('Servers');
    await opened.show('Tools');
    await page.getByLabel('Search').fill('legacy__odd');
    await page.getByRole('button', { name: 'legacy__odd', exact: true }).click();
    await page.getByLabel(/^as/).selectOption({ label: as });
    await page.getByRole('button', { name: 'Call legacy__odd' }).click();
    await expect.poll(() => page.getByRole('group', { name: 'Result' }).textContent()).toContain(text);
  });

  it('has asked no other host, and the console has no error', () => {
    expect([...opened.seen.hosts]).toEqual([opened.mux.url.host]);
    expect(opened.seen.problems).toEqual([]);
  });
});
