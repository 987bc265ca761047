// The pages of the features: what a client sees of a server alone and through mcpmux. The end-to-end tests hold the rows.
import { tableOf } from './blocks.mjs';

const FEATURES = `# Feature matrix

This page compares the messages that a client gets from a server alone and through mcpmux. One client script runs both ways,
and all messages that reach the client are compared in their order. One of the rules at the end explains each difference;
there are no others. [Eras](eras.md) does the same for clients and servers of both eras.
`;

const EPILOGUE = `Several \`list_changed\` notifications in a short time are merged into one. A step that waits for one
shows it.

Servers at urls (S13) have tests of their own. They run over Streamable HTTP, with JSON answers and streams, with sessions
and without, and over SSE: lists, calls, progress, questions, cancellation, new tools, lost sessions, headers
(\`packages/core/src/mux/mux-remote*.int.test.ts\`, \`e2e/src/remote.e2e.test.ts\`), server-everything
(\`e2e/src/real-servers.e2e.test.ts\`), and every row of [eras](eras.md) with the server at a url
(\`e2e/src/cells-at-url.e2e.test.ts\`).
`;

const ERAS = `# Both eras of the protocol

A client and a server of either era meet through mcpmux. One client script runs with SDK 1.32.2 (2025-11-25, the legacy era)
and SDK 2.4.0 (2026-07-28, the modern era), once with a server on SDK 2.4.0 alone and once through mcpmux, which speaks the
era of the column to that server. A question of a server counts as a request in both eras; the answer that carries the
questions of a modern server is a *round*. "the same" means: all that the client sees is equal to what the same client sees
of the server alone, but for the rules in parentheses.
`;

/** The page of each method, alone and through mcpmux. */
export function featurePage({ features: { rows, rules } }) {
  const servers = [...new Set(rows.map(({ server }) => server))];
  const head = ['', 'method', 'behaviour', 'alone', 'through mcpmux', 'rules'];
  const sections = servers.map((name) => {
    const body = rows.filter(({ server }) => server === name).map(featureCells);
    return `## ${name}\n\n${tableOf([head, ...body])}`;
  });
  return [FEATURES, ...sections, '## Rules\n', ruleTable(rules), EPILOGUE].join('\n');
}

function featureCells({ row, method, does, direct, through = 'the same', rules = [] }) {
  return [row, `\`${method}\``, does, direct, through, rules.join(', ')];
}

/** The page of both eras: a column for each pair, and what no pair can have. */
export function eraPage({ eras: { rows, rules }, fallbacks }) {
  const columns = [...new Set(rows.map(({ cell }) => cell))];
  const steps = rows.filter(({ cell }) => cell === columns[0]);
  const body = steps.map(({ method, does }) => {
    const inCells = columns.map((cell) =>
      rows.find((row) => row.cell === cell && row.method === method && row.does === does),
    );
    return [`\`${method}\``, does].concat(inCells.map(eraCell));
  });
  return [
    ERAS,
    tableOf([['method', 'behaviour', ...columns], ...body]),
    '## Rules between eras\n',
    ruleTable(rules),
    '## Fallbacks\n',
    tableOf([['wanted', 'why not', 'instead'], ...fallbacks]),
  ].join('\n');
}

function eraCell({ direct, through, rules = [] }) {
  const outcome = through === undefined ? 'the same' : `${through} in place of ${direct}`;
  return rules.length === 0 ? outcome : `${outcome} (${rules.join(', ')})`;
}

function ruleTable(rules) {
  return tableOf([['rule', 'explanation'], ...Object.entries(rules)]);
}
