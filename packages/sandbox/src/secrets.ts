/** Paths below the home folder that contain secrets, or sockets of programs that act on the user's behalf. */
const HOME_SECRET_PATHS = [
  // Keys, and the sockets of key agents.
  ['.ssh', '.gnupg', '.pki', '.password-store', '.1password', '.config/op', '.config/1Password'],
  ['.bitwarden-ssh-agent.sock', '.vault-token', '.local/share/keyrings', '.kde/share/apps/kwallet'],
  ['.local/share/kwalletd', 'Library/Keychains', 'Library/Group Containers', 'Library/Cookies'],
  // Clouds, containers, code hosts, registries.
  ['.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.colima', '.lima', '.orbstack', '.rd'],
  ['.config/containers', '.local/share/containers', '.config/gh', '.config/hub', '.config/glab-cli'],
  ['.git-credentials', '.config/git/credentials', '.netrc', '.npmrc', '.yarnrc.yml', '.pypirc'],
  [
    '.config/pip',
    '.config/uv',
    '.local/share/uv/credentials',
    '.cargo/credentials.toml',
    '.cargo/credentials',
  ],
  ['.gem/credentials', '.bundle/config', '.m2/settings.xml', '.gradle/gradle.properties'],
  ['.terraform.d', '.terraformrc', '.config/doctl', '.config/heroku', '.fly', '.config/rclone', '.s3cfg'],
  ['.pgpass', '.my.cnf', '.mylogin.cnf'],
  // The desktop session.
  ['.Xauthority', '.ICEauthority'],
  // Browsers and mail.
  [
    '.mozilla',
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware',
    '.config/microsoft-edge',
  ],
  ['.config/vivaldi', '.thunderbird', '.var/app', 'snap'],
  ['Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox', 'Library/Safari'],
  ['Library/Application Support/BraveSoftware', 'Library/Application Support/Microsoft Edge'],
  ['Library/Mail', 'Library/Messages'],
  // The logins and conversations of coding agents. The host adds the paths of their config files.
  [
    '.claude/.credentials.json',
    '.claude/projects',
    '.claude/history.jsonl',
    '.codex/auth.json',
    '.codex/sessions',
  ],
  ['.codex/history.jsonl', '.gemini/oauth_creds.json', '.local/share/opencode', '.config/github-copilot'],
  // Shell histories.
  ['.bash_history', '.zsh_history', '.local/share/fish', '.python_history', '.node_repl_history'],
  ['.psql_history', '.mysql_history'],
].flat();

/** System paths that contain secrets, or sockets through which group members can become root. */
const SYSTEM_SECRET_PATHS = [
  ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ['/etc/ssh', '/etc/ssl/private', '/etc/NetworkManager/system-connections', '/etc/wireguard'],
  ['/var/snap/lxd/common/lxd', '/var/lib/lxd', '/var/lib/incus', '/var/lib/docker', '/var/lib/containerd'],
  ['/var/spool/cron', '/var/lib/systemd/coredump', '/var/backups', '/var/mail', '/var/spool/mail'],
].flat();

/** Returns the paths that confined servers cannot read by default. Not all of them exist on a given machine. */
export function secretPaths(home: string): readonly string[] {
  return [...HOME_SECRET_PATHS.map((path) => `${home}/${path}`), ...SYSTEM_SECRET_PATHS];
}
