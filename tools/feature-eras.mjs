// The part of docs/features.md on the eras of the protocol: a column for each pair, and what no pair can have.

const INTRODUCTION = `## Both eras of the protocol

A client and a server of either era meet through mcpmux. One client script runs with SDK 1.32.2
(2025-11-25, the legacy era) and SDK 2.4.0 (2026-07-28, the modern era), once with a server on SDK
2.4.0 alone and once through mcpmux, which speaks the era of the column to that server. A question
of a server counts as a request in both eras; the answer that carries the questions of a modern
server is a *round*. "the same" means: all that the client sees is equal to what the same client
sees of the server alone, but for the rules in parentheses.
`;

/** Wanted, why it cannot be, and what happens instead. */
const FALLBACKS = [
  [
    'a legacy server asks a modern client outside a call',
    'the era has no requests of servers',
    'roots: held for 10 s and asked with the next call to that server, then empty; all others: an error to the server',
  ],
  [
    'log messages of a legacy server to a modern client that did not ask',
    'the era forbids them',
    'dropped; stderr of the server is in the log of mcpmux',
  ],
  [
    'a log message of a legacy server belongs to a request',
    'the message does not name a request',
    'it goes to the oldest open request that has a level',
  ],
  [
    'log messages of a modern server before a legacy client has set a level',
    'the era logs for requests with a level alone',
    'none until `logging/setLevel`',
  ],
  [
    'progress and log messages while a call of a modern client waits for an answer',
    'no request is open that they could belong to',
    'dropped until the retry',
  ],
  [
    'two calls of one legacy server ask at the same time',
    'a question does not name the call',
    'of one client: it goes to the most recent call that can answer it; of several clients: it is refused',
  ],
  [
    'the key under which a legacy server asks a modern client',
    'a request of the legacy era has none',
    'mcpmux numbers the questions of a call: `r1`, `r2`, …',
  ],
  [
    'a waiting call goes on after a restart of mcpmux',
    'the call of the server is gone',
    '-32602; the client starts over',
  ],
  [
    'any number of calls wait for answers',
    'each is work that a server has begun',
    'beyond 128 of a client, 512 at a server or 1,024 in all the oldest is cancelled; its retry gets -32602',
  ],
  [
    '`tasks/list` of a modern server for a legacy client',
    'the extension has no list',
    'the tasks that the session has made through mcpmux',
  ],
  [
    'a server of one session for a modern client over HTTP (`isolation: session`, `serve --isolated`, `connect_instance`)',
    'its requests have no session',
    'refused with a text; over stdio the connection is the session',
  ],
  [
    'capabilities that change after `initialize`',
    'the legacy era has no message for them',
    'mcpmux declares all of them; `list_servers` tells those of each server',
  ],
  [
    'new `instructions` for a legacy client',
    'the legacy era has no message for them',
    'the answer of `add_server` and `reload_server` carries them',
  ],
  [
    'a resource is unknown to a legacy server (-32002)',
    'the modern era does not have the code',
    '-32602 with the same data',
  ],
  [
    'numbers above 2^53 in what mcpmux rewrites',
    'JavaScript rounds them',
    'all bytes pass; only capabilities and the data of errors whose code changes are rounded',
  ],
  [
    'trust for each server in the interface of a client',
    'the client sees one server',
    'the name of the server in labels and in `_meta`',
  ],
];

/** The section on both eras. */
export function erasSection({ rows, rules }, table) {
  const columns = [...new Set(rows.map(({ cell }) => cell))];
  const steps = rows.filter(({ cell }) => cell === columns[0]);
  const body = steps.map(({ method, does }) => {
    const inCells = columns.map((cell) =>
      rows.find((row) => row.cell === cell && row.method === method && row.does === does),
    );
    return [`\`${method}\``, does].concat(inCells.map(cellText));
  });
  return [
    INTRODUCTION,
    table(['method', 'behaviour', ...columns], body),
    '### Rules between eras\n',
    table(['rule', 'explanation'], Object.entries(rules)),
    '### Fallbacks\n',
    table(['wanted', 'why not', 'instead'], FALLBACKS),
  ].join('\n');
}

function cellText({ direct, through, rules }) {
  const outcome = direct === through ? 'the same' : `${through} in place of ${direct}`;
  return rules.length === 0 ? outcome : `${outcome} (${rules.join(', ')})`;
}
