import { expect, it } from 'vitest';

import { ExitCode } from './exit-code.js';

it('has these exit codes and no others', () => {
  expect(ExitCode).toEqual({ Ok: 0, Usage: 2, NotFound: 6, Internal: 70 });
});
