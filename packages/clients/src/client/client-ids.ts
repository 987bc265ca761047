/** The client names that the command line accepts. */
export const CLIENT_IDS = [
  'amp',
  'claude-code',
  'claude-desktop',
  'cline',
  'codex',
  'copilot-cli',
  'cursor',
  'gemini',
  'goose',
  'kiro',
  'lm-studio',
  'opencode',
  'roo',
  'vscode',
  'windsurf',
  'zed',
] as const;

/** A client name on the command line. */
export type ClientId = (typeof CLIENT_IDS)[number];
