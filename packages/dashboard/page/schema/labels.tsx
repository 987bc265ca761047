import type { Json } from '../connection.js';
import type { Field } from './fields.js';
import { hintOf } from './hints.js';

/** An argument in a request for suggestions. */
export interface TypedArgument extends Json {
  readonly name: string;
  readonly value: string;
}

/** Resolves with the values that a server suggests for an argument, given the values of the other arguments. */
export type Suggest = (
  argument: TypedArgument,
  others: Json,
  signal: AbortSignal,
) => Promise<readonly string[]>;

/** The state that all fields of a form share. */
export interface FormState {
  readonly id: string;
  readonly faults: ReadonlyMap<string, string>;
  /** Suggests values for a text. Undefined if there are no suggestions. */
  readonly suggest?: ((argument: TypedArgument, signal: AbortSignal) => ReturnType<Suggest>) | undefined;
}

/** The ids and the state of one control. */
export interface ControlLabels {
  readonly id: string;
  readonly place: string;
  readonly isFaulty: boolean;
  /** Ids of the elements that describe the control. */
  readonly described: string;
}

/** Shows the name of a field, and whether the server requires it. */
export function Title({ field }: { readonly field: Field }) {
  const { title, name, isRequired } = field;
  return (
    <>
      {title}
      {title !== name && name !== '' && (
        <>
          {' '}
          <code>{name}</code>
        </>
      )}
      {isRequired && field.kind !== 'boolean' && name !== '' && <span class="needed"> required</span>}
    </>
  );
}

/** Shows the description of a field, its bounds, and the fault in its content. */
export function Notes(props: {
  readonly field: Field;
  readonly id: string;
  readonly fault: string | undefined;
}) {
  const { field, id, fault } = props;
  const hint = hintOf(field);
  return (
    <>
      <small id={`${id}-hint`} class="calm hint">
        {field.description}
        {field.description !== '' && hint !== '' && ' · '}
        {hint}
      </small>
      {fault !== undefined && (
        <small id={`${id}-fault`} class="bad fault">
          {fault}
        </small>
      )}
    </>
  );
}
