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
  /** The text of the button that sends. */
  readonly submit: string;
  readonly onSubmit: (value: Json) => void;
  /** The text where the schema has no property. */
  readonly empty: string;
  /** Suggests values for the texts of the form. */
  readonly suggest?: Suggest;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** A form for a schema. It sends nothing before each field has what its schema asks for. */
export function SchemaForm(props: FormProps) {
  // A list that is read again has equal schemas in new objects: what was typed stays.
  return <Form key={JSON.stringify(props.schema)} {...props} />;
}

function Form({ schema, submit, onSubmit, empty, suggest, children }: FormProps) {
  const form = useMemo(() => formOf(schema), []);
  const [typed, setTyped] = useState(() => initialTyped(form));
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  /** How often the form was sent with faults: then, and not while somebody types, the focus goes to the first one. */
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
        <button type="submit" class="primary">
          {submit}
        </button>
        {children}
        <Faults count={faults.size} />
      </p>
    </form>
  );
}

/** Suggestions for one text of a form, given what the other fields contain. */
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

/** The faults that were shown and are still there, with their messages of now. */
function remaining(shown: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  return new Map([...now].filter(([place]) => shown.has(place)));
}

/** Inputs that browsers tell to be empty while something is in them, such as a part of a date. */
function incomplete(form: HTMLFormElement | null): readonly [string, string][] {
  const inputs = [...(form?.querySelectorAll('input') ?? [])].filter(({ validity }) => validity.badInput);
  return inputs.map(({ dataset }) => [dataset['place'] ?? '', 'This is not complete, or not readable.']);
}
