import { useLayoutEffect, useState } from 'preact/hooks';

import { useAction } from '../action.js';
import { addForNow } from '../added-for-now.js';
import { useConfigChange } from '../config-change.js';
import { entriesOf } from '../entries.js';
import type { Overview } from '../../src/data/overview-shown.js';
import { Empty, Field, Message } from '../parts.js';
import { linkTo } from '../route.js';
import { Registry } from './registry.js';
import type { FilledEntry } from './registry-inputs.js';

/**
 * Adds servers to the config and shows the change before it is written. Without a config, adds them until mcpmux ends.
 */
export function Add({ overview, refresh }: { readonly overview: Overview; readonly refresh: () => void }) {
  const [filled, setFilled] = useState<FilledEntry>(EMPTY);
  const [isAdding, setAdding] = useState(false);
  const act = useAction();
  const { canEditConfig, canSearch, mayManage } = overview;
  const [added, setAdded] = useState<readonly string[]>([]);
  const written = (): void => {
    setFilled((now) => ({ ...now, secrets: {} }));
    setAdded(Object.keys(entriesOf(filled.name, filled.target)));
    refresh();
  };
  const { view, show } = useConfigChange(act, written);
  const addNow = async ({ name, target, secrets }: FilledEntry): Promise<string> => {
    setAdding(true);
    try {
      const servers = entriesOf(name, target);
      const text = await addForNow(servers, secrets);
      setAdded(Object.keys(servers));
      return text;
    } finally {
      setAdding(false);
      refresh();
    }
  };
  const add = ({ name, target, secrets }: FilledEntry): void => {
    if (canEditConfig)
      show(() => ({ kind: 'add', servers: entriesOf(name, target), secrets: usedIn(target, secrets) }));
    else if (!isAdding) act.run(() => addNow(filled));
  };
  usePasted((target) => setFilled((now) => ({ ...now, target })));
  if (!mayManage)
    return (
      <Empty title="This link opened the page for reading only.">
        Run <code>mcpmux ui</code> without <code>--read-only</code> for a link that may add servers.
      </Empty>
    );
  return (
    <div class="columns">
      <div>
        <AddForm {...{ filled, canEditConfig, isAdding }} fill={setFilled} add={() => add(filled)} />
        <Message {...act.outcome} />
        <Added names={added} />
        {view}
      </div>
      {canSearch && <Registry fill={setFilled} canEditConfig={canEditConfig} />}
    </div>
  );
}

/** Takes a text that is pasted while no field has the focus. */
function usePasted(take: (text: string) => void): void {
  // Before the first paint, so that a paste into a view that has just been opened counts.
  useLayoutEffect(() => {
    const pasted = ({ target, clipboardData }: ClipboardEvent): void => {
      const isInField = target instanceof HTMLElement && target.closest('input, textarea') !== null;
      const text = clipboardData?.getData('text/plain') ?? '';
      if (!isInField && text !== '') take(text);
    };
    addEventListener('paste', pasted);
    return () => removeEventListener('paste', pasted);
  }, []);
}

/** Leads to the tools of the servers that were added. */
function Added({ names }: { readonly names: readonly string[] }) {
  return (
    <>
      {names.map((server) => (
        <p key={server}>
          <a href={linkTo({ view: 'tools', server })}>Try the tools of {server}</a>
        </p>
      ))}
    </>
  );
}

const EMPTY: FilledEntry = { name: '', target: '', secrets: {} };

function AddForm(props: {
  readonly filled: FilledEntry;
  readonly fill: (filled: FilledEntry) => void;
  readonly canEditConfig: boolean;
  /** True while a server is being added. */
  readonly isAdding: boolean;
  readonly add: () => void;
}) {
  const { filled, fill, canEditConfig, isAdding, add } = props;
  return (
    <form
      class="panel"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field
        label="Name"
        value={filled.name}
        onInput={(name) => fill({ ...filled, name })}
        placeholder="made from the target when empty"
      />
      <label class="field">
        <span>A command, a url, or a pasted block of mcpServers</span>
        <textarea
          rows={9}
          placeholder={FORMS}
          value={filled.target}
          onInput={(event) => fill({ ...filled, target: event.currentTarget.value })}
        />
      </label>
      <p>
        <button type="submit" class="primary" aria-disabled={isAdding}>
          {canEditConfig ? 'Show the change' : 'Add until mcpmux ends'}
        </button>{' '}
        <span class="calm">{canEditConfig ? FIRST_SHOWN : NOT_SAVED}</span>
      </p>
    </form>
  );
}

const FORMS = `npx -y @modelcontextprotocol/server-memory

https://mcp.example.com/mcp

{ "mcpServers": { "files": { "command": "npx",
    "args": ["-y", "@modelcontextprotocol/server-filesystem", "/tmp"] } } }`;
const FIRST_SHOWN = 'Nothing is written before you have seen it.';
const NOT_SAVED = 'This mcpmux serves no config, so the page cannot save the server.';

/** Returns the secrets to which a text refers, because the user may have edited the entry. */
function usedIn(text: string, secrets: FilledEntry['secrets']): FilledEntry['secrets'] {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => text.includes(`\${secret:${name}}`)));
}
