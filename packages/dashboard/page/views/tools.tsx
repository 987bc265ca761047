import { useMemo, useState } from 'preact/hooks';

import { problemOf } from '../action.js';
import type { Askers } from '../asker.js';
import type { Json } from '../connection.js';
import { useLatestAnswer } from '../latest-answer.js';
import { layersOf } from '../layers.js';
import { list } from '../mcp.js';
import type { Overview } from '../../src/data/overview-shown.js';
import { Split } from '../panel.js';
import { Choice, Field, Tabs } from '../parts.js';
import type { Route } from '../route.js';
import { count, tokens } from '../texts.js';
import { grouped, serverOf } from '../tool-groups.js';
import { textIn } from '../values.js';
import { ChangedTools, useToolNotes } from './changed-tools.js';
import { Entry, nameOf, type Kind } from './entry.js';
import { LayerChoice } from './layer-choice.js';
import { Names } from './names.js';

const METHODS: Readonly<Record<Kind, string>> = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
};
const KIND_NAMES: readonly Kind[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];
const TITLES: Readonly<Record<Kind, string>> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  resourceTemplates: 'Templates',
};

/** The group of entries whose names do not identify their server. */
const OTHERS = 'others';

interface ToolsProps {
  readonly lists: number;
  readonly mayManage: boolean;
  readonly overview: Overview;
  readonly route: Route;
}

/** Shows the tools, prompts and resources of the servers, as clients list them. */
export function Tools(props: ToolsProps) {
  const { mayManage, overview, route } = props;
  const [kind, setKind] = useState<Kind>('tools');
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(route.name ?? '');
  const [only, setOnly] = useState(route.server ?? '');
  const version = versionOf(props);
  const { layers, layer, setLayer } = useLayer(overview, route.layer);
  const { entries, problem } = useList(kind, version, layer);
  const notes = useToolNotes(version, layer);
  const { found, groups, totals, server } = useFound(entries, words, { kind, overview, only });
  const entry = found.find((one) => nameOf(one) === chosen);
  const askers = askersOf(server(chosen), overview);
  const close = (): void => setChosen('');
  const show = (next: Kind): void => {
    setKind(next);
    close();
  };
  return (
    <>
      <div class="bar">
        <Tabs label="Lists" titles={TITLES} values={KIND_NAMES} chosen={kind} choose={show} />
        {layers.length > 1 && <LayerChoice layers={layers} layer={layer} choose={setLayer} />}
        {only !== '' && <Choice label="Server" value={only} values={[only]} choose={setOnly} />}
        <Field label="Search" value={words} onInput={setWords} placeholder="words" />
        <p role="status" class="totals calm">
          {problem ?? `${totals}${hiddenNote(kind, notes.unlisted)}`}
        </p>
      </div>
      {kind === 'tools' && <ChangedTools notes={notes} mayManage={mayManage} />}
      <Split
        list={
          <Names
            key={kind}
            groups={groups}
            chosen={entry}
            unlisted={notes.unlisted}
            choose={setChosen}
            state={stateOf(entries, words)}
          />
        }
        details={
          entry !== undefined && (
            <Entry key={`${layer} ${chosen}`} {...{ kind, entry, mayManage, layer, askers, close }} />
          )
        }
      />
    </>
  );
}

/** Returns the server of an entry if its name identifies the server, and all servers that could ask instead. */
function askersOf(server: string, { servers }: Overview): Askers {
  const names = servers.map(({ name }) => name);
  return { server: server === OTHERS ? undefined : server, names };
}

/** Returns a text that changes when the lists may have changed. */
function versionOf({ lists, overview: { servers } }: ToolsProps): string {
  const running = servers.filter(({ status }) => status === 'running').length;
  const changes = servers.flatMap(({ changed_tools: tools = [] }) => tools).length;
  return `${lists} ${running} ${changes}`;
}

/** Returns the entries that contain these words, the same entries by server, and their totals as text. */
function useFound(
  entries: readonly Json[] | undefined,
  words: string,
  { kind, overview, only }: { readonly kind: Kind; readonly overview: Overview; readonly only: string },
) {
  // The overview arrives every two seconds, but its servers change only with the lists.
  const server = useMemo(
    () => serverOf(overview.servers, kind === 'tools' ? 'mcpmux' : OTHERS),
    [entries, kind],
  );
  const texts = useMemo(() => textsOf(entries ?? []), [entries]);
  const found = useMemo(
    () => searched(entries ?? [], texts, words).filter((one) => only === '' || server(nameOf(one)) === only),
    [texts, words, only, server],
  );
  const groups = useMemo(() => grouped(found, nameOf, server), [found, server]);
  // Memoized, because there may be thousands of entries and each call batch draws the page again.
  const totals = useMemo(() => summary(entries, found), [entries, found]);
  return { found, groups, totals, server };
}

/** Returns the layers that have servers, and the layer whose lists are shown. */
function useLayer({ servers }: Overview, first: string | undefined) {
  const layers = layersOf(servers);
  const [wanted, setLayer] = useState(first);
  const { id: layer } = layers.find(({ id }) => id === wanted) ?? layers[0] ?? { id: '' };
  return { layers, layer, setLayer };
}

/** Returns a list of the mux, which is read again when it may have changed. */
function useList(kind: Kind, version: string, layer: string) {
  const read = (): Promise<readonly Json[]> => list({ method: METHODS[kind], layer }, kind);
  const { value: entries, error } = useLatestAnswer(read, `${kind} ${layer}`, version);
  return { entries, problem: error === undefined ? undefined : problemOf(error) };
}

/**
 * Returns the searchable text of each entry, because lists of thousands of entries are searched after each keystroke.
 */
function textsOf(entries: readonly Json[]): readonly string[] {
  return entries.map((entry) =>
    `${nameOf(entry)} ${textIn(entry['title'])} ${textIn(entry['description'])}`.toLowerCase(),
  );
}

function searched(entries: readonly Json[], texts: readonly string[], words: string): readonly Json[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return entries;
  return entries.filter((_, index) => {
    const text = texts[index] ?? '';
    return wanted.every((word) => text.includes(word));
  });
}

function stateOf(entries: readonly Json[] | undefined, words: string): 'reading' | 'searched' | 'all' {
  if (entries === undefined) return 'reading';
  return words.trim() === '' ? 'all' : 'searched';
}

function hiddenNote(kind: Kind, { size }: ReadonlySet<string>): string {
  return kind === 'tools' && size > 0 ? `, ${size} hidden from the lists of clients` : '';
}

function summary(entries: readonly Json[] | undefined, found: readonly Json[]): string {
  if (entries === undefined) return 'Reading the list …';
  const all = found.reduce((sum, one) => sum + tokens(one), 0);
  return `${found.length} of ${entries.length}, about ${count(all)} tokens`;
}
