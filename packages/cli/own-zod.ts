import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Plugin } from 'esbuild';

const OWN = '?own';

/**
 * Gives our schemas a copy of zod with no more in it than they use: the SDK uses most of zod, and esbuild puts what both
 * use into one file.
 */
export const ownZod: Plugin = {
  name: 'own-zod',
  setup(build) {
    build.onResolve(
      { filter: /^zod\/(mini|v4\/locales\/en\.js)$/ },
      async ({ path, resolveDir, pluginData, kind }) => {
        if (pluginData === OWN) return undefined;
        const found = await build.resolve(path, { resolveDir, kind, pluginData: OWN });
        return { ...found, suffix: OWN };
      },
    );
    build.onLoad({ filter: /[\\/]zod[\\/].*\.js$/ }, async ({ path, suffix }) =>
      suffix === OWN ? { contents: await readFile(path), loader: 'js', pluginData: OWN } : undefined,
    );
    build.onResolve({ filter: /^\./ }, ({ path, resolveDir, pluginData }) =>
      pluginData === OWN ? { path: resolve(resolveDir, path), suffix: OWN, sideEffects: false } : undefined,
    );
  },
};
