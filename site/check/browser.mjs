import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { extname, join } from 'node:path';

import { chromium } from 'playwright-core';

import { contrastProblems } from './contrast.mjs';
import { fileOf } from './links.mjs';

/** Each kind of page: text, tables, code, captures, long lists. */
const PAGES = [
  '/',
  '/docs/',
  '/docs/start',
  '/docs/comparison',
  '/docs/cli',
  '/docs/config',
  '/docs/guides/claude-code',
];
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** What a person with a browser would stumble over. */
export async function problemsInBrowser(dist, executablePath) {
  const server = createServer((request, response) => answer(dist, request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const site = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ baseURL: site, reducedMotion: 'reduce' });
    const problems = [];
    for (const path of PAGES) problems.push(...(await problemsOf(context, path, site)));
    return [...problems, ...(await searchProblems(context))];
  } finally {
    await browser.close();
    server.close();
  }
}

async function problemsOf(context, path, site) {
  const page = await context.newPage();
  const problems = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !url.startsWith('data:'))
      problems.push(`${path}: asks another host: ${url}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${path}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  await page.goto(path, { waitUntil: 'load' });
  // colours change at once, not over a quarter of a second
  await page.addStyleTag({ content: '*{transition:none!important}' });
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(
      (scheme) => document.documentElement.classList.contains('dark') === (scheme === 'dark'),
      colorScheme,
    );
    const faint = await page.evaluate(contrastProblems);
    problems.push(...faint.map((text) => `${path} (${colorScheme}): ${text}`));
  }
  await page.close();
  return problems;
}

async function searchProblems(context) {
  const page = await context.newPage();
  await page.goto('/docs/', { waitUntil: 'load' });
  try {
    await page.click('.VPNavBarSearch button');
    await page.fill('#localsearch-input', 'reload_server');
    await page.waitForSelector('#localsearch-list a');
    return [];
  } catch (error) {
    return [`the search does not find "reload_server": ${error.message}`];
  } finally {
    await page.close();
  }
}

function answer(dist, { url }, response) {
  const file = fileOf(dist, new URL(url, 'http://site').pathname);
  if (file === undefined) return void response.writeHead(404).end();
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type }).end(readFileSync(join(dist, file)));
}
