import { useState } from 'preact/hooks';

import type { Json } from '../connection.js';
import { useDrawn } from '../more.js';
import { Empty } from '../parts.js';
import { count, firstLine, tokens } from '../texts.js';
import { openGroups, type Group } from '../tool-groups.js';
import { textIn } from '../values.js';
import { nameOf } from './entry.js';

/** The maximum number of rows. More rows would make the page slow. */
const MAX_ROWS = 100;
const MAX_GROUPS = 200;
/** The number of groups that are drawn at a time. An open group has many rows. */
const GROUPS_STEP = 8;
const MAX_DESCRIPTION = 250;

/** Shows the names of entries by server. Groups that would make the page slow are initially closed. */
export function Names(props: {
  readonly groups: readonly Group[];
  readonly chosen: Json | undefined;
  readonly unlisted: ReadonlySet<string>;
  readonly choose: (name: string) => void;
  readonly state: 'reading' | 'searched' | 'all';
}) {
  const { groups, state } = props;
  /** The groups that the user has opened (true) or closed. */
  const [switched, setSwitched] = useState<ReadonlyMap<string, boolean>>(new Map());
  const open = openGroups(groups, MAX_ROWS);
  const drawn = useDrawn(groups.slice(0, MAX_GROUPS), GROUPS_STEP);
  if (groups.length === 0) return state === 'reading' ? null : <Nothing isSearched={state === 'searched'} />;
  return (
    <>
      {drawn.rows.map((group) => {
        const { server, entries } = group;
        const isOpen = switched.get(server) ?? open.has(server);
        return (
          <details
            key={server}
            class="group"
            open={isOpen}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open !== isOpen)
                setSwitched(new Map(switched).set(server, currentTarget.open));
            }}
          >
            <summary>
              {server} <span class="count">{count(entries.length)}</span>
            </summary>
            {isOpen && <Rows {...props} group={group} />}
          </details>
        );
      })}
      {drawn.more}
      {groups.length > MAX_GROUPS && (
        <p class="calm">{groups.length - MAX_GROUPS} more servers: search for words.</p>
      )}
    </>
  );
}

function Nothing({ isSearched }: { readonly isSearched: boolean }) {
  if (isSearched) return <Empty title="Nothing matches these words." />;
  return (
    <Empty title="No server offers anything here.">
      The view <a href="#/servers">Servers</a> reports which servers run.
    </Empty>
  );
}

function Rows(props: {
  readonly group: Group;
  readonly chosen: Json | undefined;
  readonly unlisted: ReadonlySet<string>;
  readonly choose: (name: string) => void;
}) {
  const { group, chosen, unlisted, choose } = props;
  const drawn = useDrawn(group.entries.slice(0, MAX_ROWS));
  const left = group.entries.length - MAX_ROWS;
  return (
    <>
      <ul class="names">
        {drawn.rows.map((one) => {
          const name = nameOf(one);
          const isHidden = unlisted.has(name);
          return (
            <li key={name} class={one === chosen ? 'chosen' : ''}>
              <button
                type="button"
                class="link"
                aria-expanded={one === chosen}
                onClick={() => choose(one === chosen ? '' : name)}
              >
                {name}
              </button>
              <span class="calm size">
                {isHidden && <span class="chip calm">hidden</span>} {count(tokens(one))} tokens
              </span>
              <small class="calm">{firstLine(textIn(one['description']), MAX_DESCRIPTION)}</small>
            </li>
          );
        })}
      </ul>
      {drawn.more}
      {left > 0 && <p class="calm">{count(left)} more: search for words.</p>}
    </>
  );
}
