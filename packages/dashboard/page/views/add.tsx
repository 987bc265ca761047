import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { addForNow } from '../added-for-now.js';
import { useConfigChange } from '../config-change.js';
import { entriesOf } from '../entries.js';
import type { Overview } from '../model.js';
import { Empty, Field, Message } from '../parts.js';
import { Registry } from './registry.js';
import type { FilledEntry } from './registry-inputs.js';

/** Adds servers to the config, whose change is shown before it is written; without a config, until mcpmux ends. */
export function Add({ overview, refresh }: { readonly overview: Overview; readonly refresh: () => void }) {
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  /** Secrets of a server of the registry, until the change is written. */
  const [secrets, setSecrets] = useState<FilledEntry['secrets']>({});
  const act = useAct();
  const written = (): void => {
    setSecrets({});
    refresh();
  };
  const { view, show } = useConfigChange(act, written);
  const fill = (filled: FilledEntry): void => {
    setName(filled.name);
    setTarget(filled.target);
    setSecrets(filled.secrets);
  };
  if (!overview.mayManage)
    return (
      <Empty title="This link opened the page for reading only.">
        Run <code>mcpmux ui</code> without <code>--read-only</code> for a link that may add servers.
      </Empty>
    );
  return (
    <div class="columns">
      <div>
        <form
          class="panel"
          onSubmit={(event) => {
            event.preventDefault();
            if (overview.canEditConfig)
              show(() => ({
                kind: 'add',
                servers: entriesOf(name, target),
                secrets: usedIn(target, secrets),
              }));
            else act.run(async () => addForNow(entriesOf(name, target)).finally(refresh));
          }}
        >
          <Field label="Name" value={name} onInput={setName} placeholder="made from the target when empty" />
          <label class="field">
            <span>A command, a url, or a pasted block of mcpServers</span>
            <textarea value={target} onInput={(event) => setTarget(event.currentTarget.value)} />
          </label>
          <p>
            <button type="submit" class="primary">
              {overview.canEditConfig ? 'Show the change' : 'Add until mcpmux ends'}
            </button>{' '}
            <span class="calm">
              {overview.canEditConfig
                ? 'Nothing is written before you have seen it.'
                : 'This mcpmux serves no config, so the page cannot save the server.'}
            </span>
          </p>
        </form>
        <Message text={act.message} />
        {view}
      </div>
      {overview.canSearch && overview.canEditConfig && <Registry fill={fill} />}
    </div>
  );
}

/** The secrets to which a text refers: the user may have edited the entry. */
function usedIn(text: string, secrets: FilledEntry['secrets']): FilledEntry['secrets'] {
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => text.includes(`\${secret:${name}}`)));
}
