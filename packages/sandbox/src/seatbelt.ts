import type { Program } from './bubblewrap.js';
import type { ViewRule } from './file-view.js';

/** The rights of a program that macOS's `sandbox-exec` confines. */
export interface SeatbeltRules {
  readonly view: readonly ViewRule[];
  readonly hasNetwork: boolean;
}

/** The system services that programs need. They do not include the keychain, other programs or Apple events. */
const SYSTEM_SERVICES = [
  ['com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership'],
  ['com.apple.system.logger', 'com.apple.system.notification_center', 'com.apple.logd'],
  ['com.apple.cfprefsd.agent', 'com.apple.cfprefsd.daemon', 'com.apple.CoreServices.coreservicesd'],
  ['com.apple.bsd.dirhelper', 'com.apple.trustd.agent', 'com.apple.trustd', 'com.apple.FSEvents'],
  ['com.apple.PowerManagement.control', 'com.apple.dyld.closured', 'com.apple.diagnosticd'],
].flat();

/** Services for host names and proxies, for programs with network access. */
const NETWORK_SERVICES = [
  ['com.apple.dnssd.service', 'com.apple.SystemConfiguration.configd', 'com.apple.networkd'],
  ['com.apple.SystemConfiguration.DNSConfiguration', 'com.apple.nsurlsessiond'],
].flat();

const BASE_RULES = [
  '(version 1)',
  '(deny default)',
  '(allow process-exec process-fork)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow file-ioctl (literal "/dev/dtracehelper") (regex #"^/dev/tty"))',
  '(allow ipc-posix-sem)',
  '(allow ipc-posix-shm-read* (ipc-posix-name "apple.shm.notification_center"))',
  '(allow pseudo-tty)',
  '(allow file-read* file-write* (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))',
  '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (subpath "/dev/fd"))',
  '(allow file-read* (subpath "/"))',
];

/** Returns the arguments for `sandbox-exec`. The last matching rule applies, so rules for outer folders come first. */
export function seatbeltArgs(program: Program, rules: SeatbeltRules): readonly string[] {
  return ['-p', seatbeltProfile(rules), '--', program.command, ...program.args];
}

/** Returns a program's Seatbelt profile. */
export function seatbeltProfile({ view, hasNetwork }: SeatbeltRules): string {
  const services = [...SYSTEM_SERVICES, ...(hasNetwork ? NETWORK_SERVICES : [])];
  return [
    ...BASE_RULES,
    `(allow mach-lookup ${services.map((name) => `(global-name ${quote(name)})`).join(' ')})`,
    ...view.flatMap(ruleLines),
    ...(hasNetwork ? NETWORK_RULES : []),
  ].join('\n');
}

/**
 * Rules for a program with network access. Unix sockets remain forbidden, because they belong to the user's programs.
 * The only exception is the socket for resolving host names.
 */
const NETWORK_RULES = [
  '(allow network-outbound (remote ip "*:*"))',
  '(allow network-inbound (local ip "*:*"))',
  '(allow network-bind (local ip "*:*"))',
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow system-socket)',
];

function ruleLines({ path, sight, isFolder, isPassable }: ViewRule): readonly string[] {
  const place = `(${isFolder ? 'subpath' : 'literal'} ${quote(path)})`;
  switch (sight) {
    case 'writable':
      // If a folder could be renamed, the protected paths in it would no longer match their rules.
      return [
        `(allow file-read* file-write* ${place})`,
        ...(isFolder ? [`(deny file-write-unlink (literal ${quote(path)}))`] : []),
      ];
    case 'read-only':
      return [`(allow file-read* ${place})`, `(deny file-write* ${place})`];
    case 'hidden':
    case 'empty':
      return [
        `(deny file-read* file-write* ${place})`,
        ...(isPassable ? [`(allow file-read-metadata (literal ${quote(path)}))`] : []),
      ];
  }
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}
