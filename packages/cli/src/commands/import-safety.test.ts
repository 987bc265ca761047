import { describe, expect, it } from 'vitest';

import { safetyKeys, safetyNotes } from './import-safety.js';

describe('keys of a client about safety', () => {
  it.each([
    [{ autoApprove: ['read'] }, ['autoApprove']],
    [{ alwaysAllow: ['read'] }, ['alwaysAllow']],
    [{ trust: true }, ['trust']],
    [{ default_tools_approval_mode: 'prompt' }, ['default_tools_approval_mode']],
    [{ tools: { find: { approval_mode: 'approve' }, list: {} } }, ['tools.find.approval_mode']],
    [{ autoApprove: [], trust: false }, []],
    [{ disabledTools: ['x'], sandboxEnabled: true, sandbox: {} }, []],
  ])('%j: %j have no effect in mcpmux', (entry, keys) => {
    expect(safetyKeys(entry)).toEqual(keys);
  });

  it('are named with what to do', () => {
    expect(safetyNotes('git', 'Cline', { autoApprove: ['status'] }, false)).toEqual([
      expect.stringMatching(
        /git had autoApprove: .* Next: set guards\.approvals, and in Cline, decide which tools of mcpmux run/,
      ),
    ]);
  });

  it('of a sandbox are carried, unless the config has the server already', () => {
    expect(safetyNotes('git', 'VS Code', { sandboxEnabled: true }, false)).toEqual([]);
    expect(safetyNotes('git', 'VS Code', { sandboxEnabled: true }, true)).toEqual([
      expect.stringContaining('Next: "sandbox": true there'),
    ]);
  });
});
