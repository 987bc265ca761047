/** Which parts of an output differ from run to run, and what stands for them. */
const STABLE = [
  [/PATH searched: [^\s]+\. Give/g, 'PATH searched: /usr/local/bin:/usr/bin:/bin. Give'],
  // the table of top: its columns are as wide as what stands in them
  [/NOW +P50 +P95 +UP/g, 'NOW  P50     P95     UP'],
  [/^([▸ ] [●○✖] .*\b\d+) +[\d.]+ m?s +[\d.]+ m?s +\d+[smh]$/gm, '$1    2.5 ms  7.5 ms  12s'],
  [/^([▸ ] [●○✖] .*\b\d+) +- +- +\d+[smh]$/gm, '$1    -       -       12s'],
  // cut at the width of the terminal: how much of it is seen depends on the widths before it
  [/(?<=^mcpmux \d+ .*)  \/home\/ann\/\S*…$/gm, '  /home/ann/.config/…'],
  [/(?<=^[▸ ] ✖ .*  )Server [^…]*…$/gm, 'Serve…'],
  [/^([▸ ] ✖ .*\b\d+) +- +- +- +(?=\S)/gm, '$1    -       -       -    '],
  [
    /(?<!\.)\b\d{2,}(?:\.\d+)? ms\b|\bp95 [\d.]+ ms/g,
    (text) => (text.startsWith('p95') ? 'p95 250 ms' : '250 ms'),
  ],
  [/\bup in [\d.]+ m?s\b/g, 'up in 250 ms'],
  [/\bup \d+[smh]\b/g, 'up 12s'],
  [/\bcall of (\S+), [\d.]+ ms\b/g, 'call of $1, 2.5 ms'],
  [/\b(pid|mcpmux) \d{2,}\b/g, '$1 4711'],
  [/"(pid|instance)": \d+/g, '"$1": 4711'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-01T12:00:00.000Z'],
  [/\b\d\d:\d\d:\d\d\b/g, '12:00:00'],
  [/\d{8}T\d{6}Z/g, '20260101T120000Z'],
  [/^(✔ node +)[\d.]+$/gm, '$124.11.0'],
  // a slow machine
  [/^! \S+ +took \d+ s to start\n +Next: .*\n/gm, ''],
  // what a server writes to stderr while it starts is read before or after its last list
  [/^(.* server running, .*)\n(.*\bStarting default \(STDIO\) server\.\.\.)$/gm, '$2\n$1'],
];

/** An output as it is in every run. */
export function stable(text) {
  return STABLE.reduce((all, [part, instead]) => all.replaceAll(part, instead), text);
}

/** Calls `replace` with each part that differs from run to run, and with what stands for it. */
export function replaceStable(replace) {
  for (const [part, instead] of STABLE) replace(part, instead);
}
