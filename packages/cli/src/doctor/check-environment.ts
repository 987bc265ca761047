import { ok, problem, type Finding } from './finding.js';

const OLDEST_NODE_VERSION: readonly [number, number] = [20, 19];
const NETWORK_ENV = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'http_proxy',
  'https_proxy',
  'ALL_PROXY',
  'NODE_EXTRA_CA_CERTS',
];

/** Checks the Node.js version, and reports the set environment variables that affect the servers' network access. */
export function checkEnvironment(
  nodeVersion: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly Finding[] {
  const names = NETWORK_ENV.filter((name) => environment[name] !== undefined && environment[name] !== '');
  const network = names.length === 0 ? [] : [ok('network', `servers inherit ${names.join(', ')}`)];
  return [checkNode(nodeVersion), ...network];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld =
    major < OLDEST_NODE_VERSION[0] || (major === OLDEST_NODE_VERSION[0] && minor < OLDEST_NODE_VERSION[1]);
  if (!isOld) return ok('node', version);
  const message = `${version} is older than ${OLDEST_NODE_VERSION.join('.')}, which mcpmux needs`;
  return problem('node', message, 'install a newer Node.js: https://nodejs.org');
}
