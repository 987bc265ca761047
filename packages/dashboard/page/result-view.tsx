import { useMemo, useState } from 'preact/hooks';

import type { Json } from './connection.js';
import { Picture } from './picture.js';
import { partsOf, type Part } from './result-parts.js';
import { bytesOf, count, pretty, size, tokensOf } from './texts.js';

/** Longer text is truncated, because browsers lay out each of its lines. */
const MAX_CHARACTERS = 100_000;

/**
 * Shows the texts, pictures and links in the result of a tool, a prompt or a resource. The page treats all of them as
 * plain text.
 */
export function ResultView({ result }: { readonly result: Json }) {
  const parts = partsOf(result);
  const { structuredContent, isError } = result;
  const text = useMemo(() => JSON.stringify(result), [result]);
  const bytes = useMemo(() => bytesOf(text), [text]);
  return (
    <div role="group" aria-label="Result" class={isError === true ? 'result bad' : 'result'}>
      {parts.map((part, number) => (
        <PartView key={number} part={part} />
      ))}
      {parts.length === 0 && structuredContent === undefined && <Text text={pretty(text)} />}
      {structuredContent !== undefined && (
        <details open={parts.length === 0}>
          <summary>Structured content</summary>
          <Text text={JSON.stringify(structuredContent, undefined, 2)} />
        </details>
      )}
      <p class="calm">
        {size(bytes)}, about {count(tokensOf(bytes))} tokens for a model
      </p>
    </div>
  );
}

/** Shows a part of a result, or of a message that a server sends. */
export function PartView({ part }: { readonly part: Part }) {
  return (
    <div class="part">
      {part.head !== '' && <p class="calm">{part.head}</p>}
      <Body part={part} />
    </div>
  );
}

function Body({ part }: { readonly part: Part }) {
  switch (part.kind) {
    case 'text':
      return <Formatted text={part.text} />;
    case 'picture':
      return <Picture type={part.type} data={part.data} bytes={part.bytes} />;
    case 'link':
      return (
        <p>
          <strong>{part.name}</strong> <code>{part.uri}</code>
          {part.notes !== '' && <span class="calm"> {part.notes}</span>}
        </p>
      );
    case 'file':
      return (
        <p class="box">
          {part.type}, {size(part.bytes)}: the page does not show this type.
        </p>
      );
  }
}

/** Shows a text. JSON is shown with line breaks and indents, or as the server sent it. */
function Formatted({ text }: { readonly text: string }) {
  const [asSent, setAsSent] = useState(false);
  const formatted = /^\s*[[{]/.test(text) ? pretty(text) : text;
  if (formatted === text) return <Text text={text} />;
  return (
    <>
      <Text text={asSent ? text : formatted} />
      <button type="button" class="small" aria-pressed={asSent} onClick={() => setAsSent(!asSent)}>
        As sent
      </button>
    </>
  );
}

function Text({ text }: { readonly text: string }) {
  const more = text.length - MAX_CHARACTERS;
  return (
    <>
      <pre role="group" aria-label="Text" tabIndex={0}>
        {more > 0 ? text.slice(0, MAX_CHARACTERS) : text}
      </pre>
      {more > 0 && <p class="calm">{count(more)} more characters are not shown.</p>}
    </>
  );
}
