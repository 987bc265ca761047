import type { Layer } from '../layers.js';

/** The window whose lists are shown: they have its servers, and those that it shares. */
export function LayerChoice(props: {
  readonly layers: readonly Layer[];
  readonly layer: string;
  readonly choose: (id: string) => void;
}) {
  return (
    <label class="field">
      <span>Window</span>
      <select value={props.layer} onChange={(event) => props.choose(event.currentTarget.value)}>
        {props.layers.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
