import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitepress';

import { followLinks } from './links.mjs';
import { decisions, sections } from './pages.mjs';

const { description } = JSON.parse(
  readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8'),
);
const inVue = (path) => fileURLToPath(new URL(`../node_modules/vue/${path}`, import.meta.url));
/** Lists of test titles and of figures: nobody searches them for words. */
const GENERATED = /^docs\/internals\//;

export default defineConfig({
  title: 'mcpmux',
  description,
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    // the default is too faint to read (WCAG 2.2 AA)
    ['style', {}, 'html:root{--vp-code-lang-color:var(--vp-c-text-2)}'],
  ],
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    '**/THIRD-PARTY-NOTICES.md',
    '**/.*/**',
    'packages/{testing,wire/wasm}/**',
    'bench/**',
    'e2e/**',
    'site/**',
  ],
  outDir: './dist',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md', ':folder(.*)/README.md': ':folder/index.md' },
  metaChunk: true,
  // a line break between bold text and a link is a space
  vue: { template: { compilerOptions: { whitespace: 'preserve' } } },
  vite: {
    build: { chunkSizeWarningLimit: 4000 },
    // the pages lie outside of this package, which alone has Vue
    resolve: {
      alias: [
        { find: /^vue$/, replacement: inVue('dist/vue.runtime.esm-bundler.js') },
        { find: /^vue\/server-renderer$/, replacement: inVue('server-renderer/index.mjs') },
      ],
    },
  },
  markdown: {
    config: followLinks,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: [...sections(), { text: 'Decisions', collapsed: true, items: decisions() }],
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: (source, env, markdown) =>
          GENERATED.test(env.relativePath) ? '' : markdown.render(source, env),
      },
    },
  },
});
