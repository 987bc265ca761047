import { useLayoutEffect, useRef } from 'preact/hooks';

import type { Field } from './fields.js';
import { OneInput } from './inputs.js';
import type { ControlLabels, FormState } from './labels.js';
import { placeIn } from './reading.js';
import { SuggestedInput } from './suggested-input.js';
import { partsTyped, textTyped, type Typed } from './typed.js';

/** Shows the entries in a list, each with a button that removes it, and a button that adds an entry. */
export function ListView(props: {
  readonly field: Extract<Field, { kind: 'list' }>;
  readonly typed: Typed;
  readonly labels: ControlLabels;
  readonly state: FormState;
  readonly onTyped: (typed: Typed) => void;
}) {
  const { field, typed, labels, state, onTyped } = props;
  const entries = partsTyped(typed);
  const element = useRef<HTMLDivElement>(null);
  /**
   * The selector of the control that gets the focus after an entry was added or removed, before the user presses the
   * next key.
   */
  const goal = useRef('');
  useLayoutEffect(() => {
    if (goal.current !== '')
      [...(element.current?.querySelectorAll<HTMLElement>(goal.current) ?? [])].at(-1)?.focus();
    goal.current = '';
  }, [entries.length]);
  const change = (changed: readonly Typed[], next: string): void => {
    goal.current = next;
    onTyped(changed);
  };
  return (
    <div ref={element} class="entries">
      {entries.map((entry, number) => (
        <Entry
          key={number}
          {...{ field, labels, state, number }}
          text={textTyped(entry)}
          onText={(text) => onTyped(entries.with(number, text))}
          remove={() => change(entries.toSpliced(number, 1), 'button.add')}
        />
      ))}
      <button
        type="button"
        class="add"
        aria-label={`Add to ${field.title}`}
        aria-describedby={labels.described}
        data-fault={labels.isFaulty ? '' : undefined}
        onClick={() => change([...entries, ''], 'input, textarea')}
      >
        Add
      </button>
    </div>
  );
}

function Entry(props: {
  readonly field: Extract<Field, { kind: 'list' }>;
  readonly labels: ControlLabels;
  readonly state: FormState;
  readonly number: number;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly remove: () => void;
}) {
  const { field, labels, state, number, text, onText, remove } = props;
  const place = placeIn(labels.place, number);
  const fault = state.faults.get(place);
  const id = `${state.id}${place}`;
  const described = `${labels.id}-hint ${id}-fault`;
  const control = {
    isRequired: false,
    value: text,
    labels: { id, place, isFaulty: fault !== undefined, described },
    onValue: onText,
  };
  return (
    <div class="entry">
      <label class="hidden" for={id}>
        {field.title} {number + 1}
      </label>
      {field.item.kind === 'text' && state.suggest !== undefined ? (
        <SuggestedInput {...control} name={field.name} suggest={state.suggest} />
      ) : (
        <OneInput {...control} shape={field.item} />
      )}
      <button type="button" aria-label={`Remove ${field.title} ${number + 1}`} onClick={remove}>
        Remove
      </button>
      {fault !== undefined && (
        <small id={`${id}-fault`} class="bad fault">
          {fault}
        </small>
      )}
    </div>
  );
}
