import { expect, it } from 'vitest';

import { ExitCode } from './exit-code.js';

it('has these exit codes and no others', () => {
  expect(ExitCode).toEqual({
    Ok: 0,
    Failed: 1,
    Usage: 2,
    Unreachable: 4,
    ToolError: 5,
    NotFound: 6,
    Refused: 7,
    Interrupted: 130,
    Internal: 70,
  });
});
