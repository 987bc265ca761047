/** A JSON object, such as a server entry in the format of mcpmux's config. */
type JsonObject = Readonly<Record<string, unknown>>;

/** A file in which a client looks for server entries. */
export interface ServerFile {
  /** The path relative to the project folder or the home folder. */
  readonly path: string;
  readonly render: (servers: Readonly<Record<string, JsonObject>>) => string;
}

/** The client properties that {@link serverFiles} uses. */
interface KnownClient<Format> {
  readonly format: Format;
  readonly key: readonly string[];
  readonly projectFile?: string;
  readonly userFile: (places: typeof ROOT_LOCATIONS) => string | undefined;
  readonly dialect: { fromMux(entry: JsonObject): { readonly entry: JsonObject } };
}

type Editor = { render(document: JsonObject): string };

const ROOT_LOCATIONS = { home: '/', cwd: '/', platform: 'linux', environment: {} } as const;
const MUX_CONFIG_PATHS = ['mcpmux.json', '.mcpmux/config.json', '.config/mcpmux/config.json'];

/** Returns every file in which a client or mcpmux looks for server entries, relative to a project or home folder. */
export async function serverFiles<Format>(
  clients: readonly KnownClient<Format>[],
  editorOf: (format: Format) => Promise<Editor>,
): Promise<readonly ServerFile[]> {
  const ofClients = await Promise.all(
    clients.map(async ({ dialect, format, key, projectFile, userFile }) => {
      const editor = await editorOf(format);
      const render = (servers: Readonly<Record<string, JsonObject>>): string => {
        const entries = Object.entries(servers).map(([name, entry]) => [name, dialect.fromMux(entry).entry]);
        const serverEntries: JsonObject = Object.fromEntries(entries);
        return editor.render(
          key.reduceRight((value: JsonObject, name) => ({ [name]: value }), serverEntries),
        );
      };
      const paths = [projectFile, userFile(ROOT_LOCATIONS)?.slice(1)].filter((path) => path !== undefined);
      return [...new Set(paths)].map((path) => ({ path, render }));
    }),
  );
  const render = (mcpServers: Readonly<Record<string, JsonObject>>): string => JSON.stringify({ mcpServers });
  return [...ofClients.flat(), ...MUX_CONFIG_PATHS.map((path) => ({ path, render }))];
}
