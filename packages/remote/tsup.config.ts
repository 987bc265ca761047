import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', channel: 'src/channel.ts', logins: 'src/logins.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: false,
  sourcemap: true,
  clean: true,
});
