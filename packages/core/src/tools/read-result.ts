import { READ_RESULT } from '../catalog/own-tool.js';
import { optional, text, wholeUpTo } from './context/fields.js';
import { InvalidArguments, tool } from './context/tool.js';

const MAX_PAGES = 1_000_000;
const MAX_PARTS = 10_000;

/** Reads results that were too long for their client. Listed while a guard stores such results. */
export const readResult = tool(
  {
    name: READ_RESULT,
    title: 'Read a long result',
    description:
      'Reads a result that was too long for you and got a handle: by pages, the lines that contain a text, or the ' +
      'values at a JSON path.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    handle: text('From the shortened result'),
    page: optional(wholeUpTo(MAX_PAGES, '1 by default')),
    grep: optional(text('Only the lines that contain this text, in any case', 1000)),
    path: optional(text('A JSON path, such as $.items[0].name or $.items[*].id', 1000)),
    part: optional(wholeUpTo(MAX_PARTS, 'Of a result with several texts; 1 by default')),
  },
  // The guard that has stored a result answers the call, so this function runs only for an unknown handle.
  () => {
    throw new InvalidArguments(
      'Nothing is stored under this handle: it was of another client, or gave way to later results. Call the tool again.',
    );
  },
);
