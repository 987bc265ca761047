type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that describe the terminal, the editor window or the folder of a process, and no server. */
const OF_WINDOW: ReadonlySet<string> = new Set([
  '_',
  'CLAUDE_CODE_SSE_PORT',
  'COLORTERM',
  'COLUMNS',
  'CURSOR_TRACE_ID',
  'GPG_TTY',
  'INIT_CWD',
  'INVOCATION_ID',
  'ITERM_SESSION_ID',
  'JOURNAL_STREAM',
  'LINES',
  'OLDPWD',
  'PWD',
  'SHLVL',
  'SSH_CLIENT',
  'SSH_CONNECTION',
  'SSH_TTY',
  'STY',
  'TERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'TERM_SESSION_ID',
  'TMUX',
  'TMUX_PANE',
  'WINDOW',
  'WINDOWID',
  'WT_SESSION',
  'ZELLIJ',
  'ZELLIJ_PANE_ID',
  'ZELLIJ_SESSION_NAME',
  'npm_config_local_prefix',
  'npm_lifecycle_event',
  'npm_lifecycle_script',
  'npm_package_json',
]);
const PREFIXES = ['VSCODE_', 'KITTY_', 'KONSOLE_', 'WEZTERM_', 'ALACRITTY_'];

/** The variables that windows must have in common to share a process. The process, and so its servers, gets these alone. */
export function sharedEnvironment(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isOfWindow(entry[0]),
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isOfWindow(name: string): boolean {
  return OF_WINDOW.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}
