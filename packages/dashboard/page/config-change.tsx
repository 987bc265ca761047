import { useEffect, useRef, useState } from 'preact/hooks';

import type { ActionState } from './action.js';
import { post } from './connection.js';
import { DiffLines } from './parts.js';

/** A change to the config, as the mcpmux that serves the page accepts it. */
export type Change =
  | {
      readonly kind: 'add';
      readonly servers: Readonly<Record<string, unknown>>;
      readonly secrets?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'remove' | 'enable' | 'disable'; readonly name: string };

interface Shown {
  readonly change: Change;
  readonly file: string;
  readonly diff: readonly string[];
  readonly warnings: readonly string[];
  /** Identifies the text of the file from which the diff was made. */
  readonly basis: string;
}

/** Shows a change to the config, and writes it when the user confirms. */
export function useConfigChange({ run }: ActionState, refresh: () => void) {
  const [shown, setShown] = useState<Shown>();
  const [isWriting, setWriting] = useState(false);
  const show = async (change: Change): Promise<string> => {
    setShown(undefined);
    const { secrets: _, ...shownChange } = { secrets: undefined, ...change };
    const diff = await post<Omit<Shown, 'change'>>('config', { ...shownChange, dryRun: true });
    setShown({ change, ...diff });
    return '';
  };
  const write = async ({ change, basis }: Shown): Promise<string> => {
    setWriting(true);
    const { file } = await post<Shown>('config', { ...change, basis }).finally(() => setWriting(false));
    refresh();
    setShown(undefined);
    return doneOf(change, file);
  };
  const view =
    shown === undefined ? null : (
      <Diff
        shown={shown}
        isWriting={isWriting}
        write={() => run(() => write(shown))}
        cancel={() => setShown(undefined)}
      />
    );
  return { view, show: (change: () => Change) => run(() => show(change())) };
}

const DONE = {
  remove: ['Removed', 'from'],
  enable: ['Enabled', 'in'],
  disable: ['Disabled', 'in'],
} as const;

function doneOf(change: Change, file: string): string {
  if (change.kind === 'add') return `Added ${Object.keys(change.servers).join(', ')} to ${file}.`;
  const [done, where] = DONE[change.kind];
  return `${done} ${change.name} ${where} ${file}.`;
}

function Diff(props: {
  readonly shown: Shown;
  readonly isWriting: boolean;
  readonly write: () => void;
  readonly cancel: () => void;
}) {
  const { shown, isWriting, write, cancel } = props;
  const element = useRef<HTMLElement>(null);
  // The change can be far from the button that requested it.
  useEffect(() => element.current?.querySelector('pre')?.focus(), []);
  return (
    <section ref={element} aria-labelledby="change" class="panel">
      <h2 id="change">{shown.file} would change</h2>
      <DiffLines label="Change to the config" lines={shown.diff} />
      {shown.warnings.map((warning) => (
        <p key={warning} class="box note">
          {warning}
        </p>
      ))}
      <div class="actions">
        {/* A button with the attribute disabled would lose the focus. */}
        <button type="button" class="primary" aria-disabled={isWriting} onClick={() => isWriting || write()}>
          Write it
        </button>
        <button type="button" aria-disabled={isWriting} onClick={() => isWriting || cancel()}>
          Cancel
        </button>
      </div>
    </section>
  );
}
