import { useState } from 'preact/hooks';

import { useAction } from '../action.js';
import { get } from '../connection.js';
import { Field, Message, Status } from '../parts.js';
import {
  RegistryInputs,
  type ChosenServer,
  type FilledEntry,
  type RegistrySource,
} from './registry-inputs.js';

interface Found {
  readonly servers: readonly {
    readonly name: string;
    readonly description: string;
    readonly version: string;
    readonly status: string;
    readonly statusMessage?: string;
    /** Ways to run the server that mcpmux does not support. */
    readonly problems: readonly string[];
    /** The local name of the server, unless the user chooses another name. */
    readonly local: string;
    readonly sources: readonly RegistrySource[];
  }[];
  readonly note?: string;
}

/** Searches the registry. Requests the values that a chosen server needs, and fills the form above with them. */
export function Registry(props: {
  readonly fill: (filled: FilledEntry) => void;
  readonly canEditConfig: boolean;
}) {
  const { fill, canEditConfig } = props;
  const [words, setWords] = useState('');
  const [found, setFound] = useState<Found>();
  const [chosen, setChosen] = useState<ChosenServer>();
  const { outcome, run } = useAction();
  const search = async (): Promise<string> => {
    const answer = await get<Found>(`registry?words=${encodeURIComponent(words)}`);
    setFound(answer);
    setChosen(undefined);
    const { note = '' } = answer;
    return `${answer.servers.length} found. ${note}`.trimEnd();
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
      <Message {...outcome} />
      <ul class="rows found">
        {found?.servers.map((server) => (
          <Result
            key={server.name}
            server={server}
            chosen={chosen?.server === server.name ? chosen : undefined}
            choose={setChosen}
            {...{ fill, canEditConfig }}
          />
        ))}
      </ul>
    </section>
  );
}

function Result(props: {
  readonly server: Found['servers'][number];
  readonly chosen: ChosenServer | undefined;
  readonly choose: (chosen: ChosenServer | undefined) => void;
  readonly fill: (filled: FilledEntry) => void;
  readonly canEditConfig: boolean;
}) {
  const { server, chosen, choose, fill, canEditConfig } = props;
  const { name, local, description, version, status, statusMessage, sources, problems } = server;
  const done = (filled: FilledEntry): void => {
    choose(undefined);
    fill(filled);
  };
  return (
    <li>
      <div>
        <strong>{name}</strong> <span class="calm">{version}</span>{' '}
        {status !== 'active' && <Status value={status} />} {statusMessage}
      </div>
      <div>{description}</div>
      <Sources
        sources={sources}
        chosen={chosen}
        choose={(source) => choose({ server: name, local, source })}
      />
      {chosen !== undefined && (
        <RegistryInputs
          key={chosen.source.label}
          {...{ chosen, canEditConfig }}
          done={done}
          cancel={() => choose(undefined)}
        />
      )}
      {problems.map((problem) => (
        <p key={problem} class="calm">
          {problem}
        </p>
      ))}
    </li>
  );
}

function Sources(props: {
  readonly sources: readonly RegistrySource[];
  readonly chosen: ChosenServer | undefined;
  readonly choose: (source: RegistrySource) => void;
}) {
  const { sources, chosen, choose } = props;
  if (sources.length === 0) return null;
  return (
    <div class="actions">
      {sources.map((source) => (
        <button
          key={source.label}
          type="button"
          aria-expanded={chosen?.source === source}
          onClick={() => choose(source)}
        >
          Use {source.label}
          {needs(source)}
        </button>
      ))}
    </div>
  );
}

function needs({ inputs }: RegistrySource): string {
  const names = inputs.filter(({ isRequired }) => isRequired).map(({ id }) => id);
  return names.length > 0 ? ` (needs ${names.join(', ')})` : '';
}
