import { containsName, envNames, withReferences, type ClientEnvironment } from './client-environment.js';

const UNIX_VARIABLES = new Set(['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']);
const WINDOWS_VARIABLES = new Set(
  [
    ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PROCESSOR_ARCHITECTURE', 'PROGRAMFILES'],
    ['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERNAME', 'USERPROFILE'],
  ].flat(),
);

/** The TypeScript SDK's rules: a server gets its `env` and the variables that `getDefaultEnvironment` returns. */
export const sdkEnvironment: ClientEnvironment = {
  passes: (name, value, platform) =>
    containsName(platform === 'win32' ? WINDOWS_VARIABLES : UNIX_VARIABLES, name, platform) &&
    !value.startsWith('()'),
  named: envNames,
};

/** {@link sdkEnvironment} for a client that replaces `${env:VAR}` in an entry. */
export const sdkEnvironmentWithReferences: ClientEnvironment = {
  ...sdkEnvironment,
  withVariables: withReferences((name) => `\${env:${name}}`),
};
