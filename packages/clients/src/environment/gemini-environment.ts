import { envNames, withReferences, type ClientEnvironment } from './client-environment.js';

/** Variables that Gemini CLI always passes. Omits those that it passes only in GitHub Actions. */
const ALWAYS_PASSED = new Set(
  [
    ['PATH', 'HOME', 'LANG', 'SHELL', 'TMPDIR', 'USER', 'LOGNAME'],
    ['SYSTEMROOT', 'COMSPEC', 'PATHEXT', 'WINDIR', 'TEMP', 'TMP', 'USERPROFILE', 'SYSTEMDRIVE'],
  ].flat(),
);
const ALWAYS_DROPPED = new Set(
  [
    ['CLIENT_ID', 'DB_URI', 'CONNECTION_STRING', 'DATABASE_URL', 'SLACK_WEBHOOK_URL', 'TWILIO_ACCOUNT_SID'],
    ['AWS_DEFAULT_REGION', 'AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'FIREBASE_PROJECT_ID'],
    ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_ACCOUNT'],
  ].flat(),
);
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT/i;
/** Matches PEM keys and certificates, passwords in URLs, JWTs, and tokens of well-known services. */
const SECRET_VALUE = new RegExp(
  [
    '-----BEGIN (?:(?:RSA|OPENSSH|EC|PGP) PRIVATE KEY|CERTIFICATE)-----',
    '(?:https?|ftp|smtp)://[^:]+:[^@]+@',
    '(?:gh[opusr]|github_pat)_\\w{36}',
    'AIzaSy[\\w-]{33}',
    'AKIA[A-Z0-9]{16}',
    'eyJ[\\w-]*\\.[\\w-]*\\.[\\w-]*',
    '[sr]k_(?:live|test)_[a-z0-9]{24}',
    'xox[abpr]-[a-z0-9-]+',
  ].join('|'),
  'i',
);

/** Gemini CLI drops variables that look like secrets, unless `env` names them (environmentSanitization.ts). */
export const geminiEnvironment: ClientEnvironment = {
  passes: (spelled, value) => {
    const name = spelled.toUpperCase();
    if (ALWAYS_PASSED.has(name) || name.startsWith('GEMINI_CLI_')) return true;
    return !ALWAYS_DROPPED.has(name) && !SECRET_NAME.test(name) && !SECRET_VALUE.test(value);
  },
  named: envNames,
  withVariables: withReferences((name) => `$${name}`),
};
