import {
  CLIENTS,
  jsonEditor,
  withEntry,
  type Client,
  type ClientFile,
  type JsonObject,
} from '@mcpmux/clients';
import { CLIENT_FIXTURES } from '@mcpmux/testing/client-fixtures';

/** What no command may show. */
export const SECRET = 'hunter2Planted9';

/** Servers with a secret wherever one can stand. None of them can be started. */
export const SECRET_SERVERS: Readonly<Record<string, JsonObject>> = {
  'of-arguments': {
    command: 'mcpmux-test-no-such-program',
    args: [
      '--token',
      SECRET,
      `--api-key=${SECRET}`,
      '-e',
      `GITHUB_TOKEN=${SECRET}`,
      '--header',
      `Authorization: Bearer ${SECRET}`,
      `postgres://ann:${SECRET}@db.example.com/app`,
      `https://example.com/mcp?access_token=${SECRET}`,
    ],
    env: { LEVEL: SECRET, 'A KEY': `x ${SECRET} y` },
  },
  'of-url': {
    url: `http://ann:${SECRET}@127.0.0.1:1/mcp?key=${SECRET}&x=${SECRET}`,
    headers: { Authorization: `Bearer ${SECRET}`, 'X-Team': SECRET },
  },
  'of-oauth': {
    url: 'http://127.0.0.1:1/mcp',
    oauth: { clientId: 'id', clientSecret: SECRET, scopes: [SECRET] },
  },
  'of-unknown-keys': {
    command: 'mcpmux-test-no-such-program',
    apiKey: SECRET,
    nested: [{ deep: { pin: SECRET } }],
  },
};

/** A client and a file of it. */
export interface PlantedFixture {
  readonly client: Client;
  readonly text: string;
}

/** One file of every client. */
export const PLANTED_FIXTURES: readonly PlantedFixture[] = CLIENTS.map((client) => ({
  client,
  text: CLIENT_FIXTURES.find(({ id }) => id === client.id)?.text ?? '',
}));

/** The file of a client with these servers beside its own, and with secrets in keys that are no servers. */
export async function withSecrets({ client, text }: PlantedFixture): Promise<string> {
  const file: ClientFile = { client, scope: 'user', file: '/client', text };
  let planted = text;
  for (const [name, entry] of Object.entries(SECRET_SERVERS)) {
    const exported = { ...client.dialect.fromMux(entry).entry };
    planted = await withEntry({ ...file, text: planted }, [...client.key, name], exported);
  }
  return withOthers(client.format, planted);
}

/** The same on one line. */
export function onOneLine(text: string): string {
  return JSON.stringify(jsonEditor.parse(text));
}

function withOthers(format: Client['format'], text: string): string {
  switch (format) {
    case 'json': {
      const input = { type: 'promptString', id: 'k', description: SECRET, default: SECRET, password: true };
      const end = text.lastIndexOf('}');
      const others = `, "other.apiKey": "${SECRET}", // it was ${SECRET}\n  "asked": [${JSON.stringify(input)}]\n`;
      return `${text.slice(0, end).trimEnd().replace(/,$/, '')}${others}${text.slice(end)}`;
    }
    case 'toml':
      return `api_key = "${SECRET}" # it was ${SECRET}\n${text}\n[other]\npin = '''\n${SECRET}\n'''\n`;
    case 'yaml':
      return `API_KEY: ${SECRET} # it was ${SECRET}\n${text}other: |\n  ${SECRET}\n`;
  }
}
