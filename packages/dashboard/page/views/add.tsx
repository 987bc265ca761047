import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { post, type Json } from '../connection.js';
import { entriesOf } from '../entries.js';
import type { Overview } from '../model.js';
import { Field, Message } from '../parts.js';
import { Registry } from './registry.js';

interface Changed {
  readonly file: string;
  readonly diff: readonly string[];
}

/** Adds servers to the config: the change is shown before it is written. */
export function Add({ overview, refresh }: { readonly overview: Overview; readonly refresh: () => void }) {
  const [name, setName] = useState('');
  const [target, setTarget] = useState('');
  const [changed, setChanged] = useState<Changed>();
  const { message, run } = useAct();
  const send = async (dryRun: boolean): Promise<string> => {
    setChanged(undefined);
    const servers: Json = entriesOf(name, target);
    const answer = await post<Changed>('config', { kind: 'add', servers, dryRun });
    if (dryRun) setChanged(answer);
    else refresh();
    return dryRun ? '' : `Added ${Object.keys(servers).join(', ')} to ${answer.file}.`;
  };
  const choose = (chosen: { readonly name: string; readonly target: string }): void => {
    setName(chosen.name);
    setTarget(chosen.target);
  };
  if (!overview.mayManage) return <p>This link opened the page for reading only.</p>;
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(() => send(true));
        }}
      >
        <Field label="Name" value={name} onInput={setName} placeholder="made from the target when empty" />
        <label class="field">
          <span>A command, a url, or a pasted block of mcpServers</span>
          <textarea value={target} onInput={(event) => setTarget(event.currentTarget.value)} />
        </label>
        <p>
          <button type="submit">Show the change</button>
        </p>
      </form>
      <Message text={message} />
      {changed !== undefined && <Change changed={changed} write={() => run(() => send(false))} />}
      {overview.canSearch && <Registry choose={choose} />}
    </>
  );
}

function Change({ changed, write }: { readonly changed: Changed; readonly write: () => void }) {
  return (
    <section aria-labelledby="change" class="panel">
      <h2 id="change">{changed.file} would change</h2>
      <pre class="diff" role="group" aria-label="Change of the config" tabIndex={0}>
        {changed.diff.map((line, index) => (
          <div key={index} class={signClass(line)}>
            {line}
          </div>
        ))}
      </pre>
      <button type="button" onClick={write}>
        Write it
      </button>
    </section>
  );
}

function signClass(line: string): string {
  if (line.startsWith('+')) return 'plus';
  return line.startsWith('-') ? 'minus' : '';
}
