import { inList, namedInEnv, withReferences, type ClientEnvironment } from './client-environment.js';

const UNIX = new Set(['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']);
const WINDOWS = new Set(
  [
    ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
    ['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
  ].flat(),
);

/** Clients that start servers with what the TypeScript SDK inherits (`getDefaultEnvironment`), and `env`. */
export const sdkEnvironment: ClientEnvironment = {
  passes: (name, value, platform) =>
    inList(platform === 'win32' ? WINDOWS : UNIX, name, platform) && !value.startsWith('()'),
  named: namedInEnv,
};

/** The same in a client that replaces `${env:VAR}`. */
export const sdkEnvironmentWithReferences: ClientEnvironment = {
  ...sdkEnvironment,
  withVariables: withReferences((name) => `\${env:${name}}`),
};
