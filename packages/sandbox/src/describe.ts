import { domainsOf, networkReach, type SandboxSettings } from './settings.js';

/** Describes a confined server's rights in one line, for people. */
export function describeSandbox(settings: SandboxSettings): string {
  const { allowRead = [], allowWrite = [] } = settings.filesystem ?? {};
  return [
    `network: ${describeNetwork(settings)}`,
    `writes: ${['its working directory', ...allowWrite].join(', ')}`,
    ...(allowRead.length > 0 ? [`also reads: ${allowRead.join(', ')}`] : []),
    ...(settings.follow === undefined ? [] : ['no more than the sandbox of its client allows']),
  ].join('; ');
}

function describeNetwork(settings: SandboxSettings): string {
  switch (networkReach(settings)) {
    case 'none':
      return 'none';
    case 'domains':
      return domainsOf(settings).allowedDomains.join(', ');
    case 'all':
      return 'all';
  }
}
