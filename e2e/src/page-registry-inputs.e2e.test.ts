import { expect, it } from 'vitest';

import { CHROMIUM, NO_CHROMIUM } from './testing/browser.js';
import { flaws, PageBrowser } from './testing/page-browser.js';

const INPUT = { description: '', isRequired: false, isSecret: false };
const SERVER = {
  name: 'com.example/all-inputs',
  local: 'all',
  description: 'Has every kind of input',
  version: '1.0.0',
  status: 'active',
  problems: [],
  sources: [
    {
      label: 'npm all-inputs',
      inputs: [
        { ...INPUT, id: 'MODE', choices: ['read', 'write'], fallback: 'read' },
        { ...INPUT, id: 'QUIET', format: 'boolean' },
        { ...INPUT, id: 'DEPTH', format: 'number', placeholder: '8' },
        { ...INPUT, id: 'ALSO', format: 'filepath', isRepeated: true },
      ],
    },
  ],
};

it.skipIf(CHROMIUM === undefined)(
  `each input of the registry has the control for its values${NO_CHROMIUM}`,
  async () => {
    await using opened = await PageBrowser.open({ servers: {} });
    const { page } = opened;
    const posted: unknown[] = [];
    await page.route('**/ui/api/registry*', async (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ json: { servers: [SERVER] } });
      posted.push(route.request().postDataJSON());
      await route.fulfill({ json: { entry: { command: 'npx' } } });
    });
    await opened.show('Add a server');
    await page.getByLabel('Search the registry').fill('all');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Use npm all-inputs' }).click();
    const asked = page.getByRole('form', { name: 'Values for com.example/all-inputs' });
    expect(await asked.getByRole('heading').innerText()).toBe('npm all-inputs');
    const mode = asked.getByLabel('MODE');
    expect(await mode.locator('option').allTextContents()).toEqual(['read (default)', 'read', 'write']);
    expect(await asked.getByLabel('QUIET').locator('option').allTextContents()).toEqual([
      'not set',
      'true',
      'false',
    ]);
    expect(await asked.getByLabel('DEPTH').getAttribute('placeholder')).toBe('8');
    expect(await flaws(page, 'Inputs')).toEqual([]);
    await mode.selectOption('write');
    await asked.getByLabel('QUIET').selectOption('true');
    await asked.getByLabel('DEPTH').fill('2');
    await asked.getByLabel('ALSO').fill('/a\n/b');
    await asked.getByRole('button', { name: 'Fill in the form' }).click();
    await asked.waitFor({ state: 'detached' });
    expect(posted).toMatchObject([{ values: { MODE: 'write', QUIET: 'true', DEPTH: '2', ALSO: '/a\n/b' } }]);
    expect(opened.seen.problems).toEqual([]);
  },
);
