/** The fixtures, each with a description of its behavior. */
export const FIXTURES = {
  echo: 'tools `echo {message}` and `slow_echo {message, delay_ms}` return the message',
  'echo-sdk': 'the tools of `echo` on the official TypeScript SDK',
  'echo-v2': 'the tools of `echo` and `reverse {message}`',
  crash: 'tool `crash` exits the process with code 1, after a line on stderr',
  'never-initialize': 'writes a line to stderr and never answers anything',
  'exit-on-start': 'writes two lines to stderr and exits with code 3 at once',
  'exit-in-handshake': 'exits with code 7 when it gets `initialize`, after a line on stderr',
  'bad-initialize': 'answers `initialize` with a result that has no protocolVersion',
  'slow-start': 'answers `initialize` only once the file named in `START_GATE` exists',
  'ignore-eof': 'goes on living after its stdin has ended, dies on SIGTERM',
  'ignore-sigterm': 'goes on living after its stdin has ended and after SIGTERM',
  tree: 'leaves a shell and two grandchildren behind that hold its stdout open; tools `spawn_info`, `exit`',
  'setsid-escapee': 'like `tree`, but its one grandchild runs in a session of its own',
  'raw-result':
    'tool `raw` answers with the bytes of the file in `RAW_RESULT_FILE`, `last_line` with the bytes of the call before',
  progress: 'tool `count {n}` sends n progress notifications and the response in one write',
  cancellable: 'tool `wait` answers only after it was cancelled, `cancelled` returns the cancellations',
  fenced:
    'tool `effect {nonce}` writes into the file of its first argument, which refuses older epochs of its second one',
  'hold-calls': 'tool `hold {key}` answers only when `release {key}` is called',
  'no-tools': 'has no capabilities and no tools',
  paged: 'lists its tools on three pages; the cursor of the second is the empty string',
  'paged-forever': 'lists its tools on pages without end; every cursor is new',
  'paged-loop': 'lists its tools on pages that lead back',
  'invalid-tools':
    'lists `first` and `last`, and between them tools that clients refuse: without a schema, with one of no object',
  'changing-definition':
    'tool `turn {description}` gives the tool `greet` another description and sends `notifications/tools/list_changed`',
  'changing-tools': 'tool `add_tool {name}` adds a tool and sends `notifications/tools/list_changed`',
  'server-requests':
    'tool `ask` sends `ping`, `roots/list` and an unknown method to its client and returns the answers',
  'garbage-stdout': 'writes lines that are not JSON before its first answer and before each tool answer',
  'malformed-result':
    'tool `broken` answers with JSON that breaks off after the id, `wrong_envelope` without result and error',
  'stdin-closer': 'tool `close_stdin` closes its stdin; it goes on living',
  'stdout-closer': 'tool `close_stdout` closes its stdout; it goes on living',
  oversized: 'tool `big {bytes}` answers with one text block of that many letters, in one line',
  'stderr-talker': 'tool `talk {lines}` writes that many lines to stderr, one with control characters',
  flood: 'tool `flood {count, bytes}` sends that many log notifications of that size, then answers',
  faulty:
    'one tool for every fault: `exit`, `damage`, `stop_reading`, `escape` and more; `echo` and `slow` return `nonce`',
  'env-dump': 'tool `env` returns its environment and working directory',
  interactive:
    'tools `ask`, `ask_later`, `ask_and_cancel {method, params}` send any request to its client, `answers` returns what came late, `notify` sends any notification',
  'resources-many':
    'resources at the URIs in its arguments, a template, subscriptions; tools `link`, `touch`, `add_resource {uri}`, `subscriptions`',
  'prompts-many':
    'prompts named by its arguments, completions of prompts and of a template; tools `add_prompt {name}`, `names`',
  tasks:
    'tool `work` runs as a task on demand, `finish {taskId}` ends it, `ask {taskId}` sends an elicitation that belongs to it',
  'tasks-required':
    'runs `must` and `confirm` as tasks alone; `finish {taskId}` ends one, `answers` returns what the client answered',
  logging:
    'tools `log {level, logger, data}` and `log_all` send log messages from the level set on, `levels` returns all levels set',
  unknowns:
    'answers unknown methods with the line it got, `heard` returns those lines; tool `shout` sends an unknown notification and unknown fields',
  'requests-log':
    'answers every method with the bytes of the file in `RAW_RESULT_FILE`; tools `received`, `forget` and `emit {line}`',
  modern:
    'speaks 2026-07-28 alone: tools, resources, prompts, completions, `log`, one listen; `heard` returns the lines it got',
  'modern-asking': 'speaks 2026-07-28 alone; one tool for each kind of `input_required` round',
  'modern-sloppy':
    'speaks 2026-07-28 without `resultType`, `ttlMs`, `cacheScope` and listen; tool `grow` adds a tool and tells nobody',
  'modern-tasks':
    'speaks 2026-07-28 with tasks: `slow`, `must`, `failing`, `broken`, `confirm`, `stray`; `finish {taskId}` ends one, `heard`',
  'dual-era':
    'speaks both eras, one in each process: `era` tells which; `ask` and `sample` send requests in the legacy one alone, `ask_by_input` asks in both',
  'old-probed':
    'speaks the handshake alone; at `server/discover` does its argument: `hang`, `exit`, `silent-with-meta`, an error code',
  conformance: 'the tools, prompts and resources of the official conformance suite (2025-11-25)',
  'conformance-modern': 'the same in 2026-07-28 alone, without an SDK',
  'conformance-tasks': 'the tools that the scenarios of that suite for tasks call (2026-07-28)',
} as const;

/** The name of a fixture. */
export type FixtureName = keyof typeof FIXTURES;
