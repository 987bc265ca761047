import type { ComponentChildren } from 'preact';

/** A column of a table: its heading, and its cell for a row. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

/** The rows of a table. On narrow screens each row is a block with the headings as labels. */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: string;
}) {
  const { caption, columns, rows, keyOf, empty } = props;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, isNumber }) => (
            <th key={head} scope="col" class={isNumber === true ? 'number' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, isNumber }) => (
              <td key={head} data-label={head} class={isNumber === true ? 'number' : ''}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A state with a sign, so that colour is not all there is. */
export function Status({ value }: { readonly value: string }) {
  return <span class={`status ${statusClass(value)}`}>{value}</span>;
}

function statusClass(value: string): string {
  if (value === 'running' || value === 'result' || value === 'ready') return 'good';
  if (['crashed', 'failed', 'error', 'misconfigured'].includes(value)) return 'bad';
  return 'calm';
}

/** Text of a server in its own layout. */
export function Code({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <pre role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  );
}

/** A field with its label. */
export function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input
        value={props.value}
        placeholder={props.placeholder ?? ''}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** What became of the last action. */
export function Message({ text }: { readonly text: string }) {
  return (
    <p role="status" class="message">
      {text}
    </p>
  );
}
