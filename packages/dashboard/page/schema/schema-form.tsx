import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useId, useMemo, useRef, useState } from 'preact/hooks';

import type { Json } from '../connection.js';
import { FieldView } from './field-view.js';
import { formOf, type Field } from './fields.js';
import type { FormState, Suggest } from './labels.js';
import { readForm } from './reading.js';
import { initialTyped, type Typed } from './typed.js';

interface FormProps {
  readonly schema: Json;
  /** The text of the submit button. */
  readonly submit: string;
  readonly onSubmit: (value: Json) => void;
  /** The text if the schema has no property. */
  readonly empty: string;
  /** The text of the submit button while the last submission is being answered. */
  readonly busy?: string | undefined;
  /** Suggests values for the text fields of the form. */
  readonly suggest?: Suggest;
  /** Additional buttons. */
  readonly children?: ComponentChildren;
}

/** A form for a schema. It can be submitted only when each field is valid. */
export function SchemaForm(props: FormProps) {
  // A list that is read again has equal schemas in new objects. The key keeps the user's input in this case.
  return <Form key={JSON.stringify(props.schema)} {...props} />;
}

function Form({ schema, submit, onSubmit, empty, busy, suggest, children }: FormProps) {
  const form = useMemo(() => formOf(schema), []);
  const [typed, setTyped] = useState(() => initialTyped(form));
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  /**
   * The number of times that the form was submitted with faults. Only a submission moves the focus to the first fault,
   * not typing.
   */
  const [attempts, setAttempts] = useState(0);
  useLayoutEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[data-fault]')?.focus();
  }, [attempts]);
  const change = (next: Typed): void => {
    setTyped(next);
    if (faults.size > 0) setFaults(remaining(faults, readForm(form, next).faults));
  };
  const send = (): void => {
    const found = readForm(form, typed);
    const all = new Map([...found.faults, ...incomplete(element.current)]);
    setFaults(all);
    if (all.size === 0) onSubmit(found.value as Json);
    else setAttempts(attempts + 1);
  };
  const state: FormState = { id, faults, suggest: suggest && suggesting(suggest, form, typed) };
  const hasFields = form.kind !== 'group' || form.fields.length > 0;
  return (
    <form
      ref={element}
      class="schema"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {hasFields ? (
        <FieldView field={form} typed={typed} place="" state={state} onTyped={change} />
      ) : (
        <p class="calm">{empty}</p>
      )}
      <p class="actions">
        <button type="submit" class="primary" aria-busy={busy !== undefined}>
          {busy ?? submit}
        </button>
        {children}
        <Faults count={faults.size} />
      </p>
    </form>
  );
}

/** Returns a function that suggests values for one text in a form, given the content of the other fields. */
function suggesting(suggest: Suggest, form: Field, typed: Typed): FormState['suggest'] {
  return (argument, signal) => suggest(argument, readForm(form, typed).value as Json, signal);
}

function Faults({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span class="bad" role="alert">
      {count === 1 ? 'One field needs' : `${count} fields need`} a change.
    </span>
  );
}

/** Returns the faults that were shown and still exist, with their current messages. */
function remaining(shown: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  return new Map([...now].filter(([place]) => shown.has(place)));
}

/**
 * Returns faults for inputs that browsers report as empty although they contain something, such as a part of a date.
 */
function incomplete(form: HTMLFormElement | null): readonly [string, string][] {
  const inputs = [...(form?.querySelectorAll('input') ?? [])].filter(({ validity }) => validity.badInput);
  return inputs.map(({ dataset }) => [dataset['place'] ?? '', 'This is not complete, or not readable.']);
}
