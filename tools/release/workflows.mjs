const PINNED = /@(?:v\d+|[\da-f]{40})$/;
const SCRIPT = /(?:^|\s)(?:node )?((?:tools|\.ci)\/[\w./-]+)/g;
/** Without a package that could not be installed, tests are skipped, and the job is green. */
const MASKED = /apt-get[^\n]*\|\|/;
/** The oldest Node.js that packages name in `engines`, and the newest that `.ci/run` tests. */
const OLDEST = '20.19';
const SYSTEMS = ['ubuntu-latest', 'macos-latest', 'windows-latest'];

/** What is wrong with a workflow: rights that it does not name, actions of no version, scripts that are not there. */
export function workflowProblems({ name, permissions, jobs }, exists) {
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const scripts = steps.flatMap(({ run = '' }) => [...run.matchAll(SCRIPT)].map(([, path]) => path));
  return [
    ...(permissions?.contents === 'read' ? [] : ['does not limit its rights to reading']),
    ...Object.entries(jobs)
      .filter(([, job]) => !(job['timeout-minutes'] > 0))
      .map(([job]) => `${job} has no time limit`),
    ...steps.filter(({ uses }) => uses && !PINNED.test(uses)).map(({ uses }) => `${uses} names no version`),
    ...scripts.filter((path) => !exists(path)).map((path) => `there is no ${path}`),
    ...steps.filter(({ run }) => MASKED.test(run)).map(({ run }) => `goes on after a failure of: ${run}`),
    ...Object.entries(jobs)
      .filter(skipsTests)
      .map(([job]) => `${job} may skip tests: MCPMUX_REQUIRE_ALL is not set`),
    ...(name === 'CI' ? matrixProblems(jobs.test.strategy.matrix) : []),
    ...(name === 'Release' ? provenanceProblems(jobs.packages) : []),
  ];
}

/** A job that runs the whole check, and does not say that nothing may be missing. */
function skipsTests([, { env = {}, steps }]) {
  return steps.some(({ run }) => run === '.ci/run') && env.MCPMUX_REQUIRE_ALL !== '1';
}

function matrixProblems({ os, node }) {
  const lacking = SYSTEMS.filter((system) => !os.includes(system));
  return [
    ...lacking.map((system) => `does not run on ${system}`),
    ...(node.includes(OLDEST) ? [] : [`does not run on Node.js ${OLDEST}`]),
  ];
}

function provenanceProblems({ permissions, env }) {
  const isReady = permissions['id-token'] === 'write' && env.NPM_CONFIG_PROVENANCE === 'true';
  return isReady ? [] : ['packages are published without provenance'];
}
