/** Variables that describe a window's terminal, desktop, or client session. By default, servers do not receive them. */
export const WINDOW_VARIABLES: ReadonlySet<string> = new Set(
  [
    // shells, terminals, connections
    ['_', 'COLORTERM', 'COLUMNS', 'GPG_TTY', 'INIT_CWD', 'LINES', 'OLDPWD', 'PWD', 'SHLVL', 'TERM'],
    ['ITERM_SESSION_ID', 'SSH_CLIENT', 'SSH_CONNECTION', 'SSH_TTY', 'STY', 'TERM_PROGRAM'],
    ['TERM_PROGRAM_VERSION', 'TERM_SESSION_ID', 'TMUX', 'TMUX_PANE', 'WINDOW', 'WINDOWID', 'WT_SESSION'],
    ['ZELLIJ', 'ZELLIJ_PANE_ID', 'ZELLIJ_SESSION_NAME'],
    // desktops, systemd, traces
    ['DESKTOP_STARTUP_ID', 'GIO_LAUNCHED_DESKTOP_FILE_PID', 'INVOCATION_ID', 'JOURNAL_STREAM'],
    ['SYSTEMD_EXEC_PID', 'TRACEPARENT', 'TRACESTATE', 'XDG_ACTIVATION_TOKEN'],
    // npm
    ['npm_config_local_prefix', 'npm_lifecycle_event', 'npm_lifecycle_script', 'npm_package_json'],
    // clients
    ['AI_AGENT', 'CLAUDECODE', 'CLAUDE_ENV_FILE', 'CLAUDE_PID', 'CLAUDE_PROJECT_DIR', 'CLAUDE_SESSION_ID'],
    ['CURSOR_TRACE_ID', 'GEMINI_CLI', 'GEMINI_CLI_IDE_AUTH_TOKEN', 'OPENCODE', 'QWEN_CODE'],
  ].flat(),
);

/** The prefixes of other variables that describe a window. */
export const WINDOW_PREFIXES: readonly string[] = [
  'ALACRITTY_',
  'CLAUDE_CODE_MESSAGING_',
  'CLAUDE_CODE_SESSION_',
  'GHOSTTY_',
  'KITTY_',
  'KONSOLE_',
  'VSCODE_',
  'WEZTERM_',
];

/** The prefixes of variables that clients set for their own use. {@link SERVER_WORDS} lists the exceptions. */
export const CLIENT_PREFIXES: readonly string[] = [
  'CLAUDE_AGENT_SDK_',
  'CLAUDE_CODE_',
  'COPILOT_AGENT_',
  'GEMINI_CLI_',
  'OPENCODE_',
  'QWEN_CODE_',
];

/** Servers receive a client variable with one of these words in its name, as other programs may need it too. */
export const SERVER_WORDS: ReadonlySet<string> = new Set(
  [
    ['AUTH', 'BEARER', 'CERT', 'CREDENTIAL', 'CREDENTIALS', 'KEY', 'OAUTH', 'PASSPHRASE', 'PASSWORD'],
    ['SECRET', 'TOKEN', 'ACCOUNT', 'CONFIG', 'ENDPOINT', 'HOME', 'PROFILE', 'PROXY', 'REGION', 'URI', 'URL'],
    ['USE'],
  ].flat(),
);
