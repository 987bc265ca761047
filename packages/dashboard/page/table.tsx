import { Component, type ComponentChildren } from 'preact';

import { useDrawn } from './more.js';

/** A column of a table, with its heading and its cell for a row. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /**
   * `main` takes the remaining room. The other columns are hidden if the table is narrower; on phones, where each row is
   * a card, also those with `tablet`.
   */
  readonly room?: 'main' | 'tablet' | 'wide' | 'wider' | 'widest';
}

/** Shows the rows of a table. On narrow screens each row is a card with the headings as labels. */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: ComponentChildren;
  readonly toneOf?: (row: Row) => string;
  /**
   * Returns the values that the cells of a row show in addition to the row itself. Rows with equal values are not drawn
   * again.
   */
  readonly partsOf?: (row: Row) => readonly unknown[];
}) {
  const { caption, columns, rows, keyOf, empty, toneOf, partsOf } = props;
  const drawn = useDrawn(rows);
  if (rows.length === 0) return <>{typeof empty === 'string' ? <p class="empty">{empty}</p> : empty}</>;
  const classes = columns.map(({ isNumber, room = '' }) => `${isNumber === true ? 'number ' : ''}${room}`);
  return (
    <div class="table">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head }, index) => (
              <th key={head} scope="col" class={classes[index]}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.rows.map((row) => (
            <Cells
              key={keyOf(row)}
              {...{ row, columns, classes }}
              tone={toneOf?.(row) ?? ''}
              parts={partsOf?.(row)}
            />
          ))}
        </tbody>
      </table>
      {drawn.more}
    </div>
  );
}

interface CellsProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly classes: readonly string[];
  readonly tone: string;
  readonly parts: readonly unknown[] | undefined;
}

class Cells<Row> extends Component<CellsProps<Row>> {
  override shouldComponentUpdate({ row, tone, parts }: CellsProps<Row>): boolean {
    const { props } = this;
    const isSame = parts?.every((part, index) => part === props.parts?.[index]) ?? false;
    return !isSame || row !== props.row || tone !== props.tone;
  }

  render({ row, columns, classes, tone }: CellsProps<Row>) {
    return (
      <tr class={tone}>
        {columns.map(({ head, cell }, index) => (
          <td key={head} data-label={head} class={classes[index]}>
            {cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}
