import { useState } from 'preact/hooks';

import { useAct } from '../action.js';
import { get } from '../connection.js';
import { Field, Message, Status } from '../parts.js';

interface Found {
  readonly servers: readonly {
    readonly name: string;
    readonly description: string;
    readonly version: string;
    readonly status: string;
    readonly statusMessage?: string;
    /** Ways to run the server that mcpmux does not know. */
    readonly problems: readonly string[];
    readonly sources: readonly {
      readonly label: string;
      readonly name: string;
      readonly target: string;
      readonly needs: readonly string[];
    }[];
  }[];
  readonly note?: string;
}

/** Searches the registry. A choice fills the form above. */
export function Registry(props: {
  readonly choose: (chosen: { readonly name: string; readonly target: string }) => void;
}) {
  const [words, setWords] = useState('');
  const [found, setFound] = useState<Found>();
  const { message, run } = useAct();
  const search = async (): Promise<string> => {
    const answer = await get<Found>(`registry?words=${encodeURIComponent(words)}`);
    setFound(answer);
    return answer.note ?? `${answer.servers.length} found.`;
  };
  return (
    <section aria-labelledby="registry" class="panel">
      <h2 id="registry">Registry</h2>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          run(search);
        }}
      >
        <Field label="Search the registry" value={words} onInput={setWords} />
        <button type="submit">Search</button>
      </form>
      <Message text={message} />
      <ul class="rows found">
        {found?.servers.map((server) => (
          <Result key={server.name} server={server} choose={props.choose} />
        ))}
      </ul>
    </section>
  );
}

function Result(props: {
  readonly server: Found['servers'][number];
  readonly choose: (chosen: { readonly name: string; readonly target: string }) => void;
}) {
  const { name, description, version, status, statusMessage, sources, problems } = props.server;
  return (
    <li>
      <div>
        <strong>{name}</strong> <span class="calm">{version}</span>{' '}
        {status !== 'active' && <Status value={status} />} {statusMessage}
      </div>
      <div>{description}</div>
      {sources.length > 0 && (
        <div class="actions">
          {sources.map((source) => (
            <button key={source.label} type="button" onClick={() => props.choose(source)}>
              Use {source.label}
              {source.needs.length > 0 ? ` (needs ${source.needs.join(', ')})` : ''}
            </button>
          ))}
        </div>
      )}
      {problems.map((problem) => (
        <p key={problem} class="calm">
          {problem}
        </p>
      ))}
    </li>
  );
}
