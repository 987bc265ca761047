import type { Askers } from '../asker.js';
import type { Json } from '../connection.js';
import { Panel } from '../panel.js';
import { parametersOf, type Parameter } from '../parameters.js';
import { Code } from '../parts.js';
import { Table, type Column } from '../table.js';
import { count, tokens } from '../texts.js';
import { isJson, objectsIn, textIn } from '../values.js';
import { ReadItem } from './read-item.js';
import { TryTool } from './try-tool.js';

/** A kind of entries, by its name in list results. */
export type Kind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** Returns the name by which clients request an entry. */
export function nameOf(entry: Json): string {
  return String(entry['uri'] ?? entry['uriTemplate'] ?? entry['name']);
}

/** The labels of hints, such as that a tool only reads or that it may destroy data. */
const HINTS: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['reads only', 'writes'],
  destructiveHint: ['may destroy', 'destroys nothing'],
  idempotentHint: ['may be repeated', 'not to be repeated'],
  openWorldHint: ['reaches out', 'stays local'],
};

/** Shows the definition of an entry, and a form that uses it. */
export function Entry(props: {
  readonly kind: Kind;
  readonly entry: Json;
  readonly mayManage: boolean;
  /** The layer whose lists contain the entry. */
  readonly layer: string;
  readonly askers: Askers;
  readonly close: () => void;
}) {
  const { kind, entry, mayManage, layer, askers, close } = props;
  const { title, name, description, inputSchema, outputSchema, mimeType } = entry;
  const hints = hintsOf(entry);
  const about = [textIn(title), kind === 'tools' || kind === 'prompts' ? '' : textIn(name), textIn(mimeType)];
  return (
    <Panel id="entry" title={nameOf(entry)} close={close}>
      <p class="chips">
        <span class="calm">{count(tokens(entry))} tokens</span>
        {hints.map((hint) => (
          <span key={hint} class="chip plain">
            {hint}
          </span>
        ))}
      </p>
      {about
        .filter((text) => text !== '')
        .map((text) => (
          <p key={text}>
            <strong>{text}</strong>
          </p>
        ))}
      {typeof description === 'string' && <p class="prose">{description}</p>}
      {kind === 'tools' && (
        <Parameters title="Parameters" rows={parametersOf(objectOf(inputSchema))} isFolded={mayManage} />
      )}
      {kind === 'prompts' && <Parameters title="Parameters" rows={argumentsOf(entry)} isFolded={mayManage} />}
      {outputSchema !== undefined && (
        <Parameters title="Structured result" rows={parametersOf(objectOf(outputSchema))} />
      )}
      {kind === 'tools' && mayManage && (
        <TryTool name={nameOf(entry)} schema={objectOf(inputSchema)} layer={layer} askers={askers} />
      )}
      {kind !== 'tools' && mayManage && <ReadItem kind={kind} entry={entry} layer={layer} askers={askers} />}
      <details>
        <summary>Definition</summary>
        <Code label="Definition">
          {JSON.stringify({ inputSchema, outputSchema, ...entry }, undefined, 2)}
        </Code>
      </details>
    </Panel>
  );
}

function objectOf(schema: unknown): Json {
  return isJson(schema) ? schema : {};
}

function hintsOf({ annotations }: Json): readonly string[] {
  return Object.entries(objectOf(annotations)).flatMap(([name, value]) => {
    if (typeof value !== 'boolean') return [];
    const [yes, no] = (Object.hasOwn(HINTS, name) ? HINTS[name] : undefined) ?? [name, `not ${name}`];
    return [value ? yes : no];
  });
}

function argumentsOf(prompt: Json): readonly Parameter[] {
  return objectsIn(prompt['arguments']).map(({ name, required, description }) => ({
    path: textIn(name),
    type: 'string',
    isRequired: required === true,
    description: textIn(description),
  }));
}

const COLUMNS: readonly Column<Parameter>[] = [
  { head: 'Name', cell: ({ path }) => <code>{breakable(path)}</code> },
  { head: 'Type', cell: ({ type, preset }) => (preset === undefined ? type : `${type}, default ${preset}`) },
  { head: 'Required', cell: ({ isRequired }) => (isRequired ? 'required' : '') },
  { head: 'Description', cell: ({ description }) => description, room: 'main' },
];

/** Returns a path that can be broken between its names. */
function breakable(path: string) {
  return path.split('.').flatMap((name, index) => (index === 0 ? [name] : ['.', <wbr />, name]));
}

function Parameters(props: {
  readonly title: string;
  readonly rows: readonly Parameter[];
  /** True if a form shows the same parameters. */
  readonly isFolded?: boolean;
}) {
  const { title, rows, isFolded = false } = props;
  if (rows.length === 0) return null;
  const table = <Table caption={title} columns={COLUMNS} rows={rows} keyOf={({ path }) => path} empty="" />;
  if (!isFolded)
    return (
      <>
        <h3>{title}</h3>
        {table}
      </>
    );
  return (
    <details>
      <summary>{title}</summary>
      {table}
    </details>
  );
}
