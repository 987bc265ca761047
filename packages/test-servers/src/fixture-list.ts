/** Every fixture and the one behaviour it is for. */
export const FIXTURES = {
  echo: 'tools `echo {message}` and `slow_echo {message, delay_ms}` return the message',
  'echo-v2': 'the tools of `echo` and `reverse {message}`',
  crash: 'tool `crash` exits the process with code 1, after a line on stderr',
  'never-initialize': 'writes a line to stderr and never answers anything',
  'exit-on-start': 'writes two lines to stderr and exits with code 3 at once',
  'exit-in-handshake': 'exits with code 7 when it gets `initialize`, after a line on stderr',
  'bad-initialize': 'answers `initialize` with a result that has no protocolVersion',
  'ignore-eof': 'goes on living after its stdin has ended, dies on SIGTERM',
  'ignore-sigterm': 'goes on living after its stdin has ended and after SIGTERM',
  tree: 'leaves a shell and two grandchildren behind that hold its stdout open; tools `spawn_info`, `exit`',
  'setsid-escapee': 'like `tree`, but its one grandchild runs in a session of its own',
  'raw-result':
    'tool `raw` answers with the bytes of the file in `RAW_RESULT_FILE`, `last_line` with the bytes of the call before',
  progress: 'tool `count {n}` sends n progress notifications and the response in one write',
  cancellable: 'tool `wait` answers only after it was cancelled, `cancelled` returns the cancellations',
  'hold-calls': 'tool `hold {key}` answers only when `release {key}` is called',
  'env-dump': 'tool `env` returns its environment and working directory',
} as const;

/** The name of a fixture. */
export type FixtureName = keyof typeof FIXTURES;
