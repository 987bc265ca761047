import { defineConfig, type Plugin } from 'vite';

/** The page within a chat: one HTML file, because its client may load nothing else. */
export default defineConfig({
  root: 'page',
  publicDir: false,
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  plugins: [oneFile()],
  build: {
    outDir: '../dist/page',
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: { input: 'page/overview.html', output: { inlineDynamicImports: true } },
  },
});

/** Puts the script and the style sheet into the HTML. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.entries(bundle);
      const html = files.find(([name]) => name.endsWith('.html'))?.[1];
      if (html?.type !== 'asset') throw new Error('the HTML is missing');
      let script = '';
      let style = '';
      for (const [name, file] of files) {
        if (file === html) continue;
        // The body must be there before the script runs, and no text in it may end its element.
        if (file.type === 'chunk') script += file.code.replaceAll('</', String.raw`<\/`);
        else style += String(file.source);
        delete bundle[name];
      }
      html.source = String(html.source)
        .replaceAll(/<script[^>]*src=[^>]*><\/script>|<link[^>]*rel="stylesheet"[^>]*>/g, '')
        .replace('</head>', () => `<style>${style}</style></head>`)
        .replace('</body>', () => `<script type="module">${script}</script></body>`);
    },
  };
}
