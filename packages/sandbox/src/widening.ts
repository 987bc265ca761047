import { absolutePath, isWithin } from './paths.js';
import { hasProtectedPathBetween } from './protected.js';
import { secretPaths } from './secrets.js';
import { domainsOf, networkReach, type FileSettings, type SandboxSettings } from './settings.js';

/** The rights that a policy allows, and the base folders for its relative paths. */
export interface Permitted {
  readonly settings: SandboxSettings;
  /** The folder to which a server may write. */
  readonly folder: string;
  readonly home: string;
  /** More paths that contain secrets of mcpmux or of clients. */
  readonly secrets?: readonly string[];
}

/** A server that an agent requests to add. */
export interface RequestedServer {
  /** `off` requests a server without a sandbox. */
  readonly sandbox: SandboxSettings | 'off';
  /** The server's working directory. */
  readonly cwd: string;
}

/**
 * Returns the rights that a requested server would have beyond a policy, one sentence each, for the person who decides.
 * An empty list means that the request is within the policy.
 */
export function findWidenings({ sandbox, cwd }: RequestedServer, permitted: Permitted): readonly string[] {
  if (sandbox === 'off') return ['It runs without a sandbox: with all your rights, files and network.'];
  return [
    ...folderWidenings(cwd, permitted),
    ...fileWidenings(sandbox.filesystem ?? {}, cwd, permitted),
    ...networkWidenings(sandbox, permitted.settings),
  ];
}

function folderWidenings(cwd: string, permitted: Permitted): readonly string[] {
  // By default, a server cannot write to the home folder or its ancestors.
  return cwd === permitted.folder || isPermittedPath(cwd, permittedWritablePaths(permitted), permitted)
    ? []
    : [changeWidening(cwd)];
}

function fileWidenings(wanted: FileSettings, cwd: string, permitted: Permitted): readonly string[] {
  const { filesystem = {} } = permitted.settings;
  const allowed = (key: keyof FileSettings): readonly string[] => absolutePaths(filesystem[key], permitted);
  const asked = (key: keyof FileSettings): readonly string[] =>
    absolutePaths(wanted[key], { ...permitted, folder: cwd });
  const readable = [...allowed('allowRead'), ...allowed('allowWrite')];
  const beyond = (paths: readonly string[], within: readonly string[]): readonly string[] =>
    paths.filter((path) => !isPermittedPath(path, within, permitted));
  const lost = (key: keyof FileSettings): readonly string[] =>
    allowed(key).filter((path) => !asked(key).includes(path));
  return [
    ...beyond(asked('allowWrite'), permittedWritablePaths(permitted)).map(changeWidening),
    ...beyond(asked('allowRead'), readable).map(
      (path) => `It may read ${path}, which is hidden from others.`,
    ),
    ...lost('denyRead').map((path) => `It may read ${path}, which the policy hides.`),
    ...lost('denyWrite').map((path) => `It may change ${path}, which the policy protects.`),
  ];
}

function changeWidening(path: string): string {
  return `It may change and delete the files in ${path}.`;
}

function permittedWritablePaths(permitted: Permitted): readonly string[] {
  const { folder, home, settings } = permitted;
  const written = absolutePaths(settings.filesystem?.allowWrite, permitted);
  return isWithin(home, folder) ? written : [folder, ...written];
}

/** True if a path is in a permitted folder, and no path between the two is denied or protected. */
function isPermittedPath(path: string, within: readonly string[], permitted: Permitted): boolean {
  const { home, settings, secrets = [] } = permitted;
  const { denyRead, denyWrite } = settings.filesystem ?? {};
  const closed = [
    ...absolutePaths(denyRead, permitted),
    ...absolutePaths(denyWrite, permitted),
    ...secretPaths(home),
    ...secrets,
  ];
  const closes = (place: string, folder: string): boolean =>
    place !== folder && isWithin(path, place) && isWithin(place, folder);
  return within.some(
    (folder) =>
      isWithin(path, folder) &&
      !closed.some((place) => closes(place, folder)) &&
      !hasProtectedPathBetween(path, folder),
  );
}

function absolutePaths(paths: readonly string[] = [], { folder, home }: Permitted): readonly string[] {
  return paths.map((path) => absolutePath(path, folder, home));
}

/** The second sentence is about abstract sockets: X11 listens on one, and often accepts all of the user's programs. */
const WHOLE_NETWORK_WIDENING =
  'It may reach the whole network: the internet, your local network, and servers on this computer. On a Linux desktop ' +
  'with X11 it may then control your session: see the screen, and type.';

const REACH_ORDER = { none: 0, domains: 1, all: 2 } as const;

function networkWidenings(wanted: SandboxSettings, permitted: SandboxSettings): readonly string[] {
  const [reach, limit] = [networkReach(wanted), networkReach(permitted)];
  if (reach === 'none' || limit === 'all') return [];
  if (reach === 'all') return [WHOLE_NETWORK_WIDENING];
  const [asked, given] = [domainsOf(wanted), domainsOf(permitted)];
  const isGiven = (domain: string): boolean => given.allowedDomains.some((one) => coversDomain(one, domain));
  const added = asked.allowedDomains.filter((domain) => REACH_ORDER[limit] === 0 || !isGiven(domain));
  const freed = given.deniedDomains.filter((domain) => !asked.deniedDomains.includes(domain));
  return [
    ...(added.length === 0 ? [] : [`It may send data to ${added.join(', ')}.`]),
    ...(freed.length === 0 ? [] : [`It may reach ${freed.join(', ')}, which the policy denies.`]),
  ];
}

function coversDomain(pattern: string, domain: string): boolean {
  if (pattern === domain) return true;
  return pattern.startsWith('*.') && domain.replace(/^\*\./, '').endsWith(pattern.slice(1));
}
