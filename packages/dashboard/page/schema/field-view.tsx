import type { ComponentChildren } from 'preact';

import { BooleanInput, OneInput } from './inputs.js';
import type { Field } from './fields.js';
import { Notes, Title, type ControlLabels, type FormState } from './labels.js';
import { ListView } from './list-view.js';
import { placeIn } from './reading.js';
import { SuggestedInput } from './suggested-input.js';
import { partsTyped, textTyped, type Typed } from './typed.js';

/** The props of a form field, with its current input. */
interface FieldProps<One extends Field = Field> {
  readonly field: One;
  readonly typed: Typed;
  readonly place: string;
  readonly state: FormState;
  readonly onTyped: (typed: Typed) => void;
}

/** Shows a field with its label, its description and its fault. */
export function FieldView(props: FieldProps) {
  const { field, typed, place, state, onTyped } = props;
  const fault = state.faults.get(place);
  const own = `${state.id}${place}`;
  const labels = labelsOf(own, place, fault !== undefined);
  const text = textTyped(typed);
  switch (field.kind) {
    case 'group':
      return <GroupView {...props} field={field} />;
    case 'list':
      return (
        <Framed field={field} id={own} fault={fault}>
          <ListView field={field} typed={typed} labels={labels} state={state} onTyped={onTyped} />
        </Framed>
      );
    case 'choices':
      return (
        <Framed field={field} id={own} fault={fault}>
          <ChoicesView field={field} typed={typed} labels={labels} onTyped={onTyped} />
        </Framed>
      );
    case 'boolean':
      return (
        <div class="field">
          <BooleanInput field={field} value={text} labels={labels} onValue={onTyped} />
          <Notes field={field} id={own} fault={fault} />
        </div>
      );
    case 'text':
    case 'number':
    case 'choice':
    case 'json':
      return (
        <div class="field">
          <label for={own}>
            <Title field={field} />
          </label>
          <Control field={field} value={text} labels={labels} suggest={state.suggest} onValue={onTyped} />
          <Notes field={field} id={own} fault={fault} />
        </div>
      );
  }
}

function Control(props: {
  readonly field: Extract<Field, { kind: 'text' | 'number' | 'choice' | 'json' }>;
  readonly value: string;
  readonly labels: ControlLabels;
  readonly suggest: FormState['suggest'];
  readonly onValue: (value: string) => void;
}) {
  const { field, suggest, ...control } = props;
  const { name, isRequired } = field;
  if (field.kind === 'text' && suggest !== undefined)
    return <SuggestedInput {...control} {...{ name, isRequired, suggest }} />;
  return <OneInput {...control} shape={field} isRequired={isRequired} />;
}

function labelsOf(id: string, place: string, isFaulty: boolean): ControlLabels {
  return { id, place, isFaulty, described: isFaulty ? `${id}-hint ${id}-fault` : `${id}-hint` };
}

function Framed(props: {
  readonly field: Field;
  readonly id: string;
  readonly fault: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { field, id, fault, children } = props;
  return (
    <fieldset>
      <legend>
        <Title field={field} />
      </legend>
      <Notes field={field} id={id} fault={fault} />
      {children}
    </fieldset>
  );
}

function GroupView(props: FieldProps<Extract<Field, { kind: 'group' }>>) {
  const { field, typed, place, state, onTyped } = props;
  const parts = partsTyped(typed);
  const fields = field.fields.map((child, number) => (
    <FieldView
      key={number}
      field={child}
      typed={parts[number] ?? ''}
      place={placeIn(place, number)}
      state={state}
      onTyped={(part) => onTyped(parts.with(number, part))}
    />
  ));
  if (place === '') return <>{fields}</>;
  return (
    <Framed field={field} id={`${state.id}${place}`} fault={undefined}>
      {fields}
    </Framed>
  );
}

function ChoicesView(props: {
  readonly field: Extract<Field, { kind: 'choices' }>;
  readonly typed: Typed;
  readonly labels: ControlLabels;
  readonly onTyped: (typed: Typed) => void;
}) {
  const { field, typed, labels, onTyped } = props;
  const chosen = partsTyped(typed);
  return (
    <div class="choices">
      {field.options.map(({ title }, number) => {
        const own = String(number);
        const isChosen = chosen.includes(own);
        return (
          <label key={own} class="check">
            <input
              type="checkbox"
              checked={isChosen}
              aria-describedby={labels.described}
              aria-invalid={labels.isFaulty}
              data-fault={labels.isFaulty && number === 0 ? '' : undefined}
              onChange={() => onTyped(isChosen ? chosen.filter((one) => one !== own) : [...chosen, own])}
            />
            <span>{title}</span>
          </label>
        );
      })}
    </div>
  );
}
