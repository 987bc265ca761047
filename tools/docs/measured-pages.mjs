// The pages of what was measured: the official suite, the costs, the long runs, the trips.
import { markdownOf, tableOf } from './blocks.mjs';

const TRIPS = `# Trips

The files and functions of our packages that one request enters, there and back. They are counted in the built command over
stdio and over HTTP, warm, with the reference server \`server-everything\` behind it, by V8's precise coverage. A modern POST
is a request of revision 2026-07-28, which has no session. The check holds each figure as a bound;
\`node tools/trips.mjs --list\` names the functions.
`;
const WINDOWS = `# Windows

The situations of a user on Windows, played with the built command by Node.js for Windows under Wine 8.
\`windows.e2e.test.ts\` plays them, and writes this table. On Windows itself it plays them with the Node.js there.
`;
const BENCH = `# What mcpmux costs

The floor is a byte pipe: a Node.js process that copies both directions and reads nothing. The README of \`bench\` describes
how this is measured and how to read it. \`npm run bench -- --docs\` writes the figures of this page.
`;
const SOAK = `# Long runs

The runs that are too long for a check. \`npx nx run e2e:soak\` runs all soaks against the built command, prints a line of
JSON for each, and fails if a bound is exceeded. \`npx nx run e2e:soak -- src/soak/churn\` runs one. \`SOAK_CYCLES\`,
\`SOAK_SECONDS\`, \`SOAK_ROUNDS\` and \`SOAK_SERVERS\` set the numbers of cycles, seconds, rounds and servers.
`;
const SERVERS = `## Server scenarios

The suite runs against \`mcpmux serve --http\` with one server behind it: a fixture that speaks the revision of the title.
Beside a modern server, when the client is modern too, \`conformance-tasks\` has the tools of the scenarios for tasks, an
extension that the revision does not require. The scenarios call tools and prompts by their bare names, which works while
only one server has them. \`json-schema-2020-12\` looks a tool up in the list by its bare name: behind mcpmux the list contains
its qualified name.
`;
const CLIENTS = `## Client scenarios

The scenarios that each revision requires. A driver puts the server of the suite into a config. Where the scenario requires
a login, it runs \`mcpmux login\` and opens its page. It starts \`mcpmux serve\`, calls every tool, reads every resource and
gets every prompt. It logs in again if an answer says so. The client behind mcpmux has the revision's era. A warning fails a
scenario.
`;

const SKILLS = `## Skills

The scenarios of the Skills extension (SEP-2640) for servers, which no revision requires. \`mcpmux skills\` serves two skills
behind mcpmux. The four scenarios for hosts are not for a gateway: the host compares the digests of the files.
`;

/** The page of the trips. */
export function tripPage({ trips }) {
  const rows = Object.entries(trips).map(([name, [files, functions]]) => [`\`${name}\``, files, functions]);
  return `${TRIPS}\n${tableOf([['trip', 'files', 'functions'], ...rows])}`;
}

/** The page of the situations on Windows. */
export function windowsPage({ windows: { nodes, rows } }) {
  return `${WINDOWS}\n${tableOf([['situation', ...nodes.map((version) => `Node.js ${version}`)], ...rows])}`;
}

/** The page of the costs. */
export function benchPage({ bench }) {
  return [BENCH, ...Object.values(bench).map(markdownOf)].join('\n');
}

/** The page of the soaks, of chaos and of fuzzing. */
export function soakPage({ soak }) {
  const sections = Object.entries(soak).map(([title, blocks]) => `## ${title}\n\n${markdownOf(blocks)}`);
  return [SOAK, ...sections].join('\n');
}

/** The page of the official suite. */
export function conformancePage({ conformance: { suite, servers, clients, skills, impossible } }) {
  const reasons = impossible.map(({ scenario, why }, index) => `${index + 1}. \`${scenario}\`: ${why}`);
  return [
    `# Conformance\n\nThe results of the official suite, \`${suite}\`.\n`,
    SERVERS,
    ...servers.map((run) => serverTable(run, impossible)),
    `Two scenarios ask for more than a bridge between the eras can do:\n\n${reasons.join('\n')}\n`,
    CLIENTS,
    ...clients.map(clientTable),
    SKILLS,
    ...skills.map(skillTable),
  ].join('\n');
}

function serverTable({ revision, behind, scenarios }, impossible) {
  const all = Object.entries(scenarios);
  const required = all.filter(([, [, , counts]]) => counts === undefined).map(([, counts]) => counts);
  const passed = required.reduce((sum, [count]) => sum + count, 0);
  const failed = required.reduce((sum, [, count]) => sum + count, 0);
  const rows = all.map(([name, [good, bad, counts = 'required']]) => {
    const reason = impossible.findIndex((one) => one.behind === behind && one.scenario === name) + 1;
    return [`\`${name}\``, counts, good, bad > 0 && reason > 0 ? `${bad} (${reason})` : bad];
  });
  return [
    `### ${revision}, with a server of ${behind}\n`,
    `${passed} of ${passed + failed} required checks pass.\n`,
    tableOf([['scenario', 'counts', 'checks passed', 'failed'], ...rows]),
  ].join('\n');
}

function skillTable({ revision, scenarios }) {
  const rows = Object.entries(scenarios).map(([name, counts]) => [`\`${name}\``].concat(counts));
  return [`### Skills, ${revision}\n`, tableOf([['scenario', 'checks passed', 'failed'], ...rows])].join(
    '\n',
  );
}

function clientTable({ revision, scenarios }) {
  const rows = Object.entries(scenarios);
  const passed = rows.filter(([, [, failed, warnings]]) => failed === 0 && warnings === 0).length;
  return [
    `### ${revision}\n`,
    `${passed} of ${rows.length} scenarios pass.\n`,
    tableOf([
      ['scenario', 'checks passed', 'failed', 'warnings'],
      ...rows.map(([name, counts]) => [`\`${name}\``].concat(counts)),
    ]),
  ].join('\n');
}
