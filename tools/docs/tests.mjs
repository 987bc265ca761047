// The faults and the requirements (docs/internals/faults.json, requirements.json) and the tests that show them, by the ids
// that begin the titles of tests.

/** Rows that no test shows and that have no reason, and titles of tests that name a row that does not exist. */
export function testProblems({ faults, requirements, tests }) {
  return [...faultProblems(faults, tests), ...requirementProblems(requirements, tests)];
}

function faultProblems(sections, tests) {
  const rows = Object.values(sections).flatMap((section) => Object.entries(section.rows));
  const known = new Set(rows.map(([id]) => id));
  const areas = new Set(Object.keys(sections));
  const shown = new Set(tests.flatMap(({ faults }) => faults));
  return [
    ...rows
      .filter(([id, { reason }]) => reason === undefined && !shown.has(id))
      .map(([id]) => `docs/internals/faults.json: ${id} has neither a test nor a reason`),
    ...tests.flatMap(({ faults, path, title }) =>
      faults
        .filter((id) => areas.has(id[0]) && !known.has(id))
        .map((id) => `${path}: there is no fault ${id}: ${title}`),
    ),
  ];
}

function requirementProblems(sections, tests) {
  const known = Object.values(sections).flatMap(({ rows }) => Object.keys(rows));
  const shown = new Set(tests.flatMap(({ requirements }) => requirements));
  return [
    ...known
      .filter((id) => !shown.has(id))
      .map((id) => `docs/internals/requirements.json: ${id} has no test`),
    ...tests.flatMap(({ requirements, path, title }) =>
      requirements
        .filter((id) => !known.includes(id))
        .map((id) => `${path}: there is no requirement ${id}: ${title}`),
    ),
  ];
}
