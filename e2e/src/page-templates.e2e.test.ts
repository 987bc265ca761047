import { fileURLToPath } from 'node:url';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

const PROGRAM = fileURLToPath(new URL('testing/asking-server.mjs', import.meta.url));

describe.skipIf(CHROMIUM === undefined)(`prompts and templates on the page${NO_CHROMIUM}`, () => {
  let opened: PageBrowser;
  let page: Page;

  beforeAll(async () => {
    opened = await PageBrowser.open({
      servers: { notes: { command: NODE, args: [PROGRAM] }, modern: fixtureServer('modern-asking') },
    });
    ({ page } = opened);
    await opened.running('notes', 'modern');
  });

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  async function choose(kind: string, name: string): Promise<void> {
    await opened.show('Servers');
    await opened.show('Tools');
    await page.getByRole('button', { name: kind, exact: true }).click();
    await page.getByRole('button', { name, exact: true }).click();
  }

  /** The values that the browser suggests for a control. */
  async function suggested(control: Locator): Promise<readonly string[]> {
    return control.evaluate((one) =>
      [...((one as { list?: { options: Iterable<{ value: string }> } }).list?.options ?? [])].map(
        ({ value }) => value,
      ),
    );
  }

  function result(): Locator {
    return page.getByRole('group', { name: 'Result' });
  }

  it('a template is filled in and read, with suggestions for its variables', async () => {
    await choose('Templates', 'notes://{person}/{+path}{?tag*}');
    const person = page.getByLabel(/^person/);
    await person.fill('A');
    await expect.poll(() => suggested(person)).toEqual(['Ada', 'Alan']);
    await person.fill('Ada ä');
    await page.getByLabel(/^path/).fill('a/b');
    await page.getByRole('button', { name: 'Add to tag' }).click();
    const tag = page.getByLabel('tag 1', { exact: true });
    await expect.poll(() => suggested(tag)).toEqual(['rare', 'red']);
    await tag.fill('re');
    await expect.poll(() => suggested(tag)).toEqual(['red']);
    await tag.fill('x y');
    expect(await flaws(page, 'Template')).toEqual([]);
    await page.getByRole('button', { name: 'Read the resource' }).click();
    await result().getByText('read notes://Ada%20%C3%A4/a/b?tag=x%20y').waitFor();
    await page.locator('.address', { hasText: 'notes://Ada%20%C3%A4/a/b?tag=x%20y' }).waitFor();
  });

  it('a prompt shows its arguments with descriptions, marks and suggestions', async () => {
    await choose('Prompts', 'notes__greet');
    const person = page.getByLabel(/^person required/);
    await page.getByRole('button', { name: 'Get the prompt' }).click();
    await page.getByText('Fill in this field').waitFor();
    expect(await page.locator('form').textContent()).toContain('The guest of honour');
    const tone = page.getByLabel(/^Tone of voice/);
    await person.fill('Gr');
    await expect.poll(() => suggested(person)).toEqual(['Grace']);
    await person.fill('Grace');
    await tone.focus();
    await expect.poll(() => suggested(tone)).toEqual(['kind to Grace']);
    expect(await flaws(page, 'Prompt')).toEqual([]);
    await page.keyboard.press('Enter');
    await result().getByText('"person": "Grace"').waitFor();
    await result().getByText('no message', { exact: true }).waitFor();
  });

  it('a prompt without arguments says so', async () => {
    await choose('Prompts', 'modern__asks');
    expect(await page.locator('form').textContent()).toContain('The prompt takes no arguments.');
  });

  it('a prompt without messages, and a resource whose contents are no list, are shown as they are', async () => {
    await choose('Prompts', 'notes__strange');
    await page.getByRole('button', { name: 'Get the prompt' }).click();
    await expect.poll(() => result().textContent()).toContain('without messages');
    await choose('Resources', 'odd:contents');
    await page.getByRole('button', { name: 'Read the resource' }).click();
    await expect.poll(() => result().textContent()).toContain('contents, which is no list');
  });

  it('has asked no other host, and the console has no error', () => {
    expect([...opened.seen.hosts]).toEqual([opened.mux.url.host]);
    expect(opened.seen.problems).toEqual([]);
  });
});
