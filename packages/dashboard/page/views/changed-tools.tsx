import { useMemo } from 'preact/hooks';

import { useAction } from '../action.js';
import { get, post } from '../connection.js';
import { useLatestAnswer } from '../latest-answer.js';
import { layerQuery } from '../layers.js';
import { lineDiff } from '../line-diff.js';
import { DiffLines, Message, Status } from '../parts.js';
import { pretty } from '../texts.js';

/** A tool whose definition has changed. */
interface Changed {
  readonly server: string;
  readonly layer?: string;
  readonly tool: string;
  readonly name?: string;
  readonly isBlocked: boolean;
  readonly before?: string;
  readonly after?: string;
}

/** Facts about tools that the tool lists do not contain. */
export interface ToolNotes {
  readonly changed: readonly Changed[];
  readonly changedInAll: number;
  /** Tools that no client's list contains. */
  readonly unlisted: ReadonlySet<string>;
}

/** The notes as mcpmux sends them. */
type Answer = Omit<ToolNotes, 'unlisted'> & { readonly unlisted: readonly string[] };

const NO_NOTES: ToolNotes = { changed: [], changedInAll: 0, unlisted: new Set() };

/** Returns the notes on tools, which are read again when the lists may have changed. */
export function useToolNotes(version: string, layer: string): ToolNotes {
  const read = (): Promise<Answer> => get<Answer>(`tools?${layerQuery(layer)}`);
  const { value, error } = useLatestAnswer(read, layer, version);
  return useMemo(
    () =>
      value === undefined || error !== undefined ? NO_NOTES : { ...value, unlisted: new Set(value.unlisted) },
    [value, error],
  );
}

/** Shows the tools whose definitions have changed, each with its diff. */
export function ChangedTools(props: { readonly notes: ToolNotes; readonly mayManage: boolean }) {
  const { changed, changedInAll } = props.notes;
  const { outcome, run } = useAction();
  if (changed.length === 0) return null;
  const approve = ({ server, layer }: Changed): void =>
    run(() => post('reload', { name: server, layer, approve: true }), `Approved ${server}.`);
  const more = changedInAll - changed.length;
  return (
    <section aria-labelledby="changed" class="panel">
      <h2 id="changed">Changed definitions</h2>
      {changed.map((one) => (
        <details key={`${one.layer ?? ''} ${one.server} ${one.tool}`}>
          <summary>
            {one.name ?? `${one.server}: ${one.tool}`} {one.isBlocked && <Status value="blocked" />}
          </summary>
          <Diff changed={one} />
          {props.mayManage && one.isBlocked && (
            <button type="button" onClick={() => approve(one)}>
              Reload and approve {one.server}
            </button>
          )}
        </details>
      ))}
      {more > 0 && <p class="calm">{more} more</p>}
      <Message {...outcome} />
    </section>
  );
}

function Diff({ changed: { name, tool, before, after } }: { readonly changed: Changed }) {
  if (after === undefined) return <p class="box note">The definition is too long to be compared here.</p>;
  const lines = before === undefined ? [] : lineDiff(pretty(before), pretty(after));
  return before === undefined ? (
    <p class="box note">mcpmux has not stored the definition that was approved.</p>
  ) : (
    <DiffLines label={`Change to ${name ?? tool}`} lines={lines} />
  );
}
