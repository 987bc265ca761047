/** The parts of the end-to-end tests, by the names of their files; the target `e2e` runs every file that is in none. */

/** One path of each feature from end to end, with the built command: part of `npm test`. */
export const PATHS: readonly string[] = [
  // the main job, its end, and the three rules that hold everywhere: one answer, no process left, clean stdout
  'main-job',
  'demo',
  'newcomer',
  'readme',
  'endings',
  'reasons',
  'stdout',
  'surface-bytes',
  // both eras over stdio and HTTP
  'fidelity',
  'modern-clients',
  'list-changed',
  // servers at urls, their logins, guards of calls, policies of an agent
  'remote',
  'login',
  'guards',
  'add-policy',
  'pinned-tools',
  // several instances, one shared process, a cluster
  'instances',
  'shared-roots',
  'cluster-environment',
  'cluster-endings',
  // the terminal and the page in a browser
  'terminal',
  'page',
];

/**
 * Floods, upgrades, clusters under faults, several instances, the corners of the page, and each option of each command:
 * `npm run test:all` runs them, and `ci.yml` at night. Cheaper files guard their rules in `npm test`, those of commands the
 * tests beside their sources.
 */
export const NIGHTLY: readonly string[] = [
  'bad-input',
  'client-files',
  'cluster',
  'cluster-balancer',
  'cluster-commands',
  'cluster-failures',
  'cluster-figures',
  'cluster-logins',
  'cluster-upgrade',
  'command-start',
  'commands',
  'config',
  'context',
  'crossed-questions-thousand',
  'dns-rebinding',
  'endless-streams',
  'first-hour',
  'fresh-tools',
  'hostile-repositories',
  'instance',
  'instance-circles',
  'large-bodies',
  'line-limits',
  'page-app',
  'page-cluster',
  'page-command',
  'page-forms',
  'page-hostile',
  'page-keyboard',
  'page-late',
  'page-questions',
  'page-sessions',
  'page-shared',
  'page-without-config',
  'readers-questions',
  'sandbox-recipes',
  'sandbox-start',
  'sdk-eras',
  'shared-chaos',
  'shared-cost',
  'shared-silent',
  'shared-versions',
  'short-resources',
  'slow-http',
  'suspended-readers',
  'suspended-servers',
  'terminal-text',
  'use-here',
  'versions',
  'windows',
];

/**
 * Streams, sockets, processes, terminals and packages: where majors of Node.js have differed. `ci.yml` runs all tests on all
 * majors; `E2E_PART=runtime` runs these alone.
 */
export const RUNTIME: readonly string[] = [
  'cells',
  'cells-at-url',
  'control-socket',
  'endings',
  'endless-streams',
  'fidelity',
  'hostile-streams',
  'http-clients',
  'http-ending',
  'large-bodies',
  'line-limits',
  'login',
  'main-job',
  'many-requests',
  'packaging',
  'processes',
  'reasons',
  'remote',
  'stdout',
  'surface-bytes',
  'terminal',
  'terminal-text',
];

/** Commands that read and write files: nothing of them depends on the major of Node.js, and they take half of the time. */
export const ON_ONE_NODE: readonly string[] = [
  'bad-input',
  'catalog',
  'client-files',
  'commands',
  'config',
  'first-hour',
  'newcomer',
  'page',
  'page-hostile',
  'page-keyboard',
  'page-read-only',
  'takeover',
];
