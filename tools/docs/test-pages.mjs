// The pages of faults and of requirements: each row, and the tests that show it.
import { testItem } from './titles.mjs';

const FAULTS = `# Faults

This page lists the faults that mcpmux survives and the tests that show it.

- **shown**: the tests below show the outcome
- **in part**: the tests show the outcome except for the part that the reason names
- **open**: not implemented yet
- **out of scope**: not a task of mcpmux; the reason says whose task it is

The check runs files named \`*.fuzz.test.ts\` and \`*.chaos.test.ts\` with fixed seeds; a command runs them with any other.
\`*.soak.test.ts\` run by command only ([long runs](soak.md)).
`;
const REQUIREMENTS = `# Requirements

This page lists the requirements of mcpmux and the tests that show them. [Features](features.md) has each method of the
protocol, and [faults](faults.md) the errors.
`;
const STATES = ['shown', 'in part', 'open', 'out of scope'];

/** The page of the faults. */
export function faultPage({ faults, tests }) {
  const showing = (id) => tests.filter((test) => test.faults.includes(id));
  const sections = Object.entries(faults).map(([area, { title, rows }]) => ({
    area,
    title,
    rows: Object.entries(rows).map(([id, row]) => Object.assign({ id, tests: showing(id) }, row)),
  }));
  return [FAULTS, summaryOf(sections), ...sections.map(faultSection)].join('\n');
}

/** The page of the requirements. */
export function requirementPage({ requirements, tests }) {
  const sections = Object.values(requirements).map(({ title, rows }) => {
    const lines = Object.entries(rows).map(([id, meaning]) => {
      const shown = tests.filter((test) => test.requirements.includes(id));
      return [`- **${id}** ${meaning}`, ...shown.map(testItem)].join('\n');
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return [REQUIREMENTS, ...sections].join('\n');
}

function summaryOf(sections) {
  const lines = sections.map(({ area, title, rows }) => {
    const all = rows.map(stateOf);
    const counts = STATES.map((state) => all.filter((other) => other === state).length);
    return `| ${area} | ${title} | ${rows.length} | ${counts.join(' | ')} |`;
  });
  return `| | area | rows | ${STATES.join(' | ')} |\n| - | - | -: | -: | -: | -: | -: |\n${lines.join('\n')}\n`;
}

function faultSection({ title, rows }) {
  const lines = rows.map((row) => {
    const reason = row.reason === undefined ? [] : [`  - _${row.reason}_`];
    return [`- **${row.id}** (${stateOf(row)}) ${row.outcome}`, ...reason, ...row.tests.map(testItem)].join(
      '\n',
    );
  });
  return `## ${title}\n\n${lines.join('\n')}\n`;
}

function stateOf({ scope, reason, tests }) {
  if (scope === 'out') return 'out of scope';
  if (tests.length === 0) return 'open';
  return reason === undefined ? 'shown' : 'in part';
}
