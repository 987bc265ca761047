import { useState } from 'preact/hooks';

import { useAction } from '../action.js';
import { post } from '../connection.js';
import { Field, Message } from '../parts.js';

/** A value that a server in the registry requires or accepts. */
export interface RegistryInput {
  readonly id: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly fallback?: string;
  /** An example of a value. */
  readonly placeholder?: string;
  /** The allowed values, if they are limited. */
  readonly choices?: readonly string[];
  readonly format?: 'number' | 'boolean' | 'filepath';
  /** True if the input accepts several values, one per line. */
  readonly isRepeated?: boolean;
}

/** One way to run a server from the registry. */
export interface RegistrySource {
  readonly label: string;
  readonly inputs: readonly RegistryInput[];
}

/** A registry server that the user has chosen. */
export interface ChosenServer {
  /** The name of the server in the registry. */
  readonly server: string;
  /** The local name of the server, unless the user chooses another name. */
  readonly local: string;
  readonly source: RegistrySource;
}

/** The entry of a chosen server, and its secrets by the names that the entry refers to. */
export interface FilledEntry {
  readonly name: string;
  readonly target: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Requests the values of a chosen server. Secrets remain on the page until the change to the config is written. */
export function RegistryInputs(props: {
  readonly chosen: ChosenServer;
  /** False without a config. Then the keyring and environment variables are not available. */
  readonly canEditConfig: boolean;
  readonly done: (filled: FilledEntry) => void;
  readonly cancel: () => void;
}) {
  const { chosen, canEditConfig } = props;
  const { server, local, source } = chosen;
  const [name, setName] = useState(local);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { outcome, run } = useAction();
  const fill = async (): Promise<void> => {
    const { values, secrets } = split(source.inputs, typed);
    const body = { server, source: source.label, name, values, secrets: Object.keys(secrets) };
    const { entry } = await post<{ readonly entry: object }>('registry', body);
    const named = Object.entries(secrets).map(([id, value]) => [`${name}.${id}`, value]);
    const target = JSON.stringify(entry, undefined, 2);
    props.done({ name, target, secrets: Object.fromEntries(named) as Record<string, string> });
  };
  return (
    <form
      class="panel"
      aria-label={`Values for ${server}`}
      onSubmit={(event) => {
        event.preventDefault();
        run(fill);
      }}
    >
      <h3 class="name">{source.label}</h3>
      <Field label="Name here" value={name} onInput={setName} />
      {source.inputs.map((input) => (
        <InputField
          key={input.id}
          {...{ input, canEditConfig }}
          value={typed[input.id] ?? ''}
          onInput={(value) => setTyped({ ...typed, [input.id]: value })}
        />
      ))}
      <div class="actions">
        <button type="submit" class="primary">
          Fill in the form
        </button>
        <button type="button" onClick={props.cancel}>
          Cancel
        </button>
      </div>
      <Message {...outcome} />
    </form>
  );
}

const FORMATS = { number: 'a number', boolean: 'true or false', filepath: 'the whole path' } as const;
const BOOLEANS: readonly string[] = ['true', 'false'];

function InputField(props: {
  readonly input: RegistryInput;
  readonly canEditConfig: boolean;
  readonly value: string;
  readonly onInput: (value: string) => void;
}) {
  const { id, description, isRequired, isSecret, isRepeated = false, format } = props.input;
  const notes = [
    isRequired ? ' (required)' : '',
    isSecret ? `, ${props.canEditConfig ? 'stored in the keyring' : 'not stored'}` : '',
    !isSecret && format !== undefined ? `, ${FORMATS[format]}` : '',
    isRepeated ? ', one value a line' : '',
  ];
  return (
    <label class="field">
      <span>
        {id}
        {notes.join('')}
      </span>
      <InputControl {...props} />
      {description !== '' && <small class="calm">{description}</small>}
    </label>
  );
}

function InputControl({ input, canEditConfig, value, onInput }: Parameters<typeof InputField>[0]) {
  const { id, isRequired, isSecret, isRepeated, fallback, format, placeholder } = input;
  const required = isRequired && !canEditConfig && fallback === undefined;
  const unset = isRequired && canEditConfig ? `\${${id}} of the environment when empty` : '';
  const changed = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onInput(event.currentTarget.value);
  const control = { value, required, placeholder: fallback ?? placeholder ?? unset, onInput: changed };
  if (isSecret) return <input type="password" autocomplete="new-password" {...control} />;
  if (isRepeated === true) return <textarea rows={3} {...control} />;
  const choices = input.choices ?? (format === 'boolean' ? BOOLEANS : []);
  if (choices.length === 0)
    return <input autocomplete="off" inputMode={format === 'number' ? 'decimal' : 'text'} {...control} />;
  return (
    <select value={value} required={required} onChange={changed}>
      <option value="">{fallback === undefined ? unset || 'not set' : `${fallback} (default)`}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

/** Returns the entered values and the secrets separately. Empty text does not count as a value. */
function split(inputs: readonly RegistryInput[], typed: Readonly<Record<string, string>>) {
  const given = inputs.flatMap(({ id, isSecret }) => {
    const { [id]: value = '' } = typed;
    return value === '' ? [] : [{ id, isSecret, value }];
  });
  const pairs = (wanted: boolean): Record<string, string> =>
    Object.fromEntries(
      given.filter(({ isSecret }) => isSecret === wanted).map(({ id, value }) => [id, value]),
    );
  return { values: pairs(false), secrets: pairs(true) };
}
