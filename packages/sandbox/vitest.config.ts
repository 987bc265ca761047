import process from 'node:process';

import { packageTests } from '../../vitest.package.js';

/** The files whose subject Windows has. mcpmux has no sandbox there, and the paths of the others are those of POSIX. */
const ON_WINDOWS = ['bubblewrap', 'environment', 'index', 'layering', 'probe', 'seatbelt', 'settings-problem'];

const tests = packageTests(import.meta.url);
const include = ON_WINDOWS.map((name) => `packages/sandbox/src/${name}.test.ts`);
const { test } = tests;
export default process.platform === 'win32'
  ? { ...tests, test: { ...test, include, passWithNoTests: true } }
  : tests;
