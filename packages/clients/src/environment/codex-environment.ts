import { isObject, type JsonObject } from '../json/json-object.js';
import { containsName, envNames, type ClientEnvironment } from './client-environment.js';

const UNIX_VARIABLES = new Set(
  [
    ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', '__CF_USER_TEXT_ENCODING'],
    ['LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'],
  ].flat(),
);
const WINDOWS_VARIABLES = new Set(
  [
    ['PATH', 'PATHEXT', 'SHELL', 'COMSPEC', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR'],
    ['USERNAME', 'USERDOMAIN', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
    ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432', 'PROGRAMDATA', 'LOCALAPPDATA', 'APPDATA'],
    ['TEMP', 'TMP', 'TMPDIR', 'POWERSHELL', 'PWSH'],
  ].flat(),
);

/** Codex passes only a fixed list of variables (`DEFAULT_ENV_VARS` in codex-rs/rmcp-client) and those in `env_vars`. */
export const codexEnvironment: ClientEnvironment = {
  passes: (name, _, platform) =>
    containsName(platform === 'win32' ? WINDOWS_VARIABLES : UNIX_VARIABLES, name, platform),
  named: (entry) => [...envNames(entry), ...variableNames(entry)],
  withVariables: (entry, names) => {
    const presentNames = new Set(variableNames(entry));
    const missingNames = names.filter((name) => !presentNames.has(name));
    const { env_vars: present } = entry;
    return missingNames.length === 0
      ? entry
      : {
          ...entry,
          env_vars: [...(Array.isArray(present) ? (present as readonly unknown[]) : []), ...missingNames],
        };
  },
};

/** Returns the names in `env_vars`. Each item is a name, or a table with the key `name`. */
function variableNames({ env_vars: variables }: JsonObject): readonly string[] {
  if (!Array.isArray(variables)) return [];
  return variables.flatMap((item: unknown) => {
    const name = isObject(item) ? item['name'] : item;
    return typeof name === 'string' ? [name] : [];
  });
}
