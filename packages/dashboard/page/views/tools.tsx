import { useEffect, useState } from 'preact/hooks';

import { problemOf } from '../action.js';
import type { Json } from '../connection.js';
import { list } from '../mcp.js';
import type { Overview } from '../model.js';
import { Code, Field } from '../parts.js';
import { textIn, tokens } from '../texts.js';
import { TryTool } from './try-tool.js';
import { ReadItem } from './read-item.js';

const MAX_ROWS = 200;
const KINDS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES: readonly Kind[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];
const TITLES: Readonly<Record<Kind, string>> = {
  tools: 'Tools',
  prompts: 'Prompts',
  resources: 'Resources',
  resourceTemplates: 'Templates',
};

/** What the servers offer: tools, prompts and resources, as clients list them. */
export function Tools(props: {
  readonly lists: number;
  readonly mayManage: boolean;
  readonly overview: Overview;
}) {
  const { lists, mayManage, overview } = props;
  const [kind, setKind] = useState<Kind>('tools');
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState('');
  const running = overview.servers.filter(({ status }) => status === 'running').length;
  const { entries, problem } = useList(kind, `${lists} ${running}`);
  const found = (entries ?? []).filter((entry) => matches(entry, words));
  const entry = found.find((one) => nameOf(one) === chosen);
  const choose = (next: Kind): void => {
    setKind(next);
    setChosen('');
  };
  return (
    <>
      <div class="bar">
        {KIND_NAMES.map((name) => (
          <button key={name} type="button" aria-pressed={name === kind} onClick={() => choose(name)}>
            {TITLES[name]}
          </button>
        ))}
        <Field label="Search" value={words} onInput={setWords} placeholder="words" />
      </div>
      <p role="status" class="calm">
        {problem ?? summary(entries, found)}
      </p>
      <div class="split">
        <Names found={found} chosen={entry} choose={setChosen} />
        {entry !== undefined && <Entry key={chosen} kind={kind} entry={entry} mayManage={mayManage} />}
      </div>
    </>
  );
}

/** A list of the mux, read again when it may have changed. */
function useList(kind: Kind, version: string) {
  const [listed, setListed] = useState<{ readonly kind: Kind; readonly entries: readonly Json[] }>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const failed = (error: unknown): void => setProblem(problemOf(error));
    list(KINDS[kind], kind).then((entries) => setListed({ kind, entries }), failed);
  }, [kind, version]);
  return { entries: listed?.kind === kind ? listed.entries : undefined, problem };
}

function Names(props: {
  readonly found: readonly Json[];
  readonly chosen: Json | undefined;
  readonly choose: (name: string) => void;
}) {
  return (
    <ul class="plain">
      {props.found.slice(0, MAX_ROWS).map((one) => (
        <li key={nameOf(one)}>
          <button
            type="button"
            class="link"
            aria-expanded={one === props.chosen}
            onClick={() => props.choose(nameOf(one))}
          >
            {nameOf(one)}
          </button>{' '}
          <span class="calm">{tokens(one)} tokens</span>
        </li>
      ))}
    </ul>
  );
}

function nameOf(entry: Json): string {
  return String(entry['uri'] ?? entry['uriTemplate'] ?? entry['name']);
}

function matches(entry: Json, words: string): boolean {
  const text = `${nameOf(entry)} ${textIn(entry['title'])} ${textIn(entry['description'])}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function summary(entries: readonly Json[] | undefined, found: readonly Json[]): string {
  if (entries === undefined) return 'Reading the list …';
  const shown = found.length > MAX_ROWS ? `, the first ${MAX_ROWS} are shown` : '';
  return `${found.length} of ${entries.length}, about ${entries.reduce((sum, one) => sum + tokens(one), 0)} tokens in all${shown}`;
}

function Entry(props: { readonly kind: Kind; readonly entry: Json; readonly mayManage: boolean }) {
  const { kind, entry, mayManage } = props;
  const { title, description, inputSchema, outputSchema, annotations } = entry;
  const hints = Object.entries((annotations ?? {}) as Json).filter(([, value]) => typeof value === 'boolean');
  return (
    <section aria-labelledby="entry" class="panel">
      <h2 id="entry">{nameOf(entry)}</h2>
      {typeof title === 'string' && <p>{title}</p>}
      {typeof description === 'string' && <p>{description}</p>}
      {hints.length > 0 && (
        <p class="calm">{hints.map(([name, value]) => `${name}: ${String(value)}`).join(', ')}</p>
      )}
      {kind === 'tools' && mayManage && <TryTool name={nameOf(entry)} schema={(inputSchema ?? {}) as Json} />}
      {(kind === 'prompts' || kind === 'resources') && mayManage && <ReadItem kind={kind} entry={entry} />}
      <details>
        <summary>Definition</summary>
        <Code label="Definition">
          {JSON.stringify({ inputSchema, outputSchema, ...entry }, undefined, 2)}
        </Code>
      </details>
    </section>
  );
}
