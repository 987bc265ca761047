import { defineConfig } from 'vite';

/** The page: one script and one style sheet beside its HTML, so that a strict content security policy can name them. */
export default defineConfig({
  root: 'page',
  base: '/ui/',
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: '../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    // Tells which packages are in the script, for their licences. It is not published.
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]', inlineDynamicImports: true },
    },
  },
});
