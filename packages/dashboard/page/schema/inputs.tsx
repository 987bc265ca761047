import type { InputHTMLAttributes } from 'preact';

import type { Field, NumberShape, Shape, TextShape } from './fields.js';
import { Title, type ControlLabels } from './labels.js';

/** The browser inputs for formats. All other formats use a text input. */
const INPUTS: Readonly<Record<string, InputHTMLAttributes>> = {
  date: { type: 'date' },
  'date-time': { type: 'datetime-local' },
  email: { type: 'email' },
  uri: { type: 'url' },
};
const SHORT = 60;

interface InputProps<One> {
  readonly shape: One;
  readonly isRequired: boolean;
  readonly value: string;
  readonly labels: ControlLabels;
  readonly onValue: (value: string) => void;
}

/** The shapes of one value in one control. */
type OneShape = Extract<Shape, { kind: 'text' | 'number' | 'choice' | 'json' }>;

/** The control for one value. */
export function OneInput(props: InputProps<OneShape>) {
  const { shape } = props;
  switch (shape.kind) {
    case 'text':
      return <TextInput {...props} shape={shape} />;
    case 'number':
      return <NumberInput {...props} shape={shape} />;
    case 'choice':
      return <Choice {...props} shape={shape} />;
    case 'json':
      return <Area {...props} class="json" rows={3} placeholder="JSON" />;
  }
}

/** Returns the attributes that all controls have. */
export function control({ labels, isRequired }: Omit<InputProps<unknown>, 'shape' | 'value' | 'onValue'>) {
  return {
    id: labels.id,
    'aria-describedby': labels.described,
    'aria-invalid': labels.isFaulty,
    required: isRequired,
    'data-fault': labels.isFaulty ? '' : undefined,
    'data-place': labels.place,
  };
}

function TextInput(props: InputProps<TextShape>) {
  const { shape, value, onValue } = props;
  const { format, maxLength = Infinity } = shape;
  // Text for tools is often a whole file, which an input would put on one line.
  if (format === '' && maxLength > SHORT) return <Area {...props} class="line" rows={1} />;
  return (
    <input
      {...INPUTS[format]}
      {...control(props)}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}

function NumberInput(props: InputProps<NumberShape>) {
  const { shape, value, onValue } = props;
  return (
    <input
      {...control(props)}
      type="number"
      min={shape.minimum}
      max={shape.maximum}
      step={shape.step ?? (shape.isInteger ? 1 : 'any')}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
}

function Choice(props: InputProps<Extract<Shape, { kind: 'choice' }>>) {
  const { shape, value, isRequired, onValue } = props;
  return (
    <select {...control(props)} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{isRequired ? 'choose one' : 'not set'}</option>
      {shape.options.map(({ title }, number) => (
        <option key={number} value={String(number)}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** A text area in which Enter submits the form, as in an input. Shift+Enter begins a new line. */
function Area(
  props: InputProps<unknown> & {
    readonly class: string;
    readonly rows: number;
    readonly placeholder?: string;
  },
) {
  const { value, onValue, rows, placeholder = '' } = props;
  const isLine = rows === 1;
  return (
    <textarea
      {...control(props)}
      class={props.class}
      rows={rows}
      placeholder={placeholder}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (!isLine || event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}

/** The states of an optional boolean, in the order in which clicks change them. */
const NEXT: Readonly<Record<string, string>> = { '': 'true', true: 'false', false: '' };

/** A checkbox. An optional checkbox has a third state, which is not set. */
export function BooleanInput(props: {
  readonly field: Field;
  readonly value: string;
  readonly labels: ControlLabels;
  readonly onValue: (value: string) => void;
}) {
  const { field, value, labels, onValue } = props;
  const hasTwo = field.isRequired && !field.isNullable;
  const toggled = hasTwo ? String(value !== 'true') : (NEXT[value] ?? '');
  return (
    <label class="check">
      <input
        {...control({ labels, isRequired: false })}
        type="checkbox"
        checked={value === 'true'}
        indeterminate={value === ''}
        onChange={() => onValue(toggled)}
      />
      <span>
        <Title field={field} /> <span class="calm">{value === '' ? 'not set' : value}</span>
      </span>
    </label>
  );
}
