/** Words that end the name of a secret: `--token`, `GITHUB_TOKEN`, `dbPassword`. */
const SECRET_WORDS = new Set(
  [
    ['token', 'secret', 'password', 'passwd', 'pwd', 'pass', 'passphrase', 'passcode', 'pat', 'pin'],
    ['credential', 'credentials', 'auth', 'authorization', 'bearer', 'cookie', 'sig', 'signature'],
    ['apikey', 'accesskey', 'secretkey', 'privatekey', 'authtoken', 'accesstoken', 'clientsecret'],
  ].flat(),
);

/** Words that make a following `key` secret. Other keys, such as sort keys, are not secret. */
const SECRET_KEY_KINDS = new Set(
  [
    ['access', 'account', 'admin', 'api', 'app', 'auth', 'client', 'encryption', 'license', 'master'],
    ['private', 'secret', 'service', 'shared', 'signing', 'storage', 'subscription', 'user'],
  ].flat(),
);

/** The number of characters at the end of a name that are examined. */
const MAX_EXAMINED_LENGTH = 200;

/**
 * True if the value of a flag, environment variable, header or member with this name is a secret. The name's last words
 * decide: `GITHUB_TOKEN`, `--api-key` and `dbPassword` are secret, `--max-tokens` and `--token-file` are not.
 */
export function isSecretName(name: string): boolean {
  // In every shell, `PWD` is the working directory.
  if (name === 'PWD') return false;
  const words = splitIntoWords(name.slice(-MAX_EXAMINED_LENGTH));
  const last = words.at(-1);
  // A flag such as --no-auth has no value.
  if (last === undefined || words[0] === 'no') return false;
  if (last !== 'key') return SECRET_WORDS.has(last);
  const kind = words.at(-2);
  return kind === undefined || SECRET_KEY_KINDS.has(kind);
}

function splitIntoWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
