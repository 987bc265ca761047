import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    guards: 'src/guards/index.ts',
    telemetry: 'src/guards/telemetry/index.ts',
  },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: false,
  sourcemap: true,
  clean: true,
});
