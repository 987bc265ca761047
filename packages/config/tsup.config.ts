import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/find.ts', 'src/follow.ts'],
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: false,
  sourcemap: true,
  clean: true,
});
