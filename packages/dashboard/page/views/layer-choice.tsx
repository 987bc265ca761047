import type { Layer } from '../layers.js';

/** Chooses the window whose lists are shown. The lists contain the window's own servers and the shared servers. */
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
