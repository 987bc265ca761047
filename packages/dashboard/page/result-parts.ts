import type { Json } from './connection.js';
import { isJson, numberIn, textIn } from './values.js';

/** A part of a result, as the page shows it. */
export type Part = { readonly head: string } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture'; readonly type: string; readonly data: string; readonly bytes: number }
  | { readonly kind: 'link'; readonly uri: string; readonly name: string; readonly notes: string }
  | { readonly kind: 'file'; readonly type: string; readonly bytes: number }
);

/** Formats without scripts and references. An SVG picture is a separate document. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** A larger picture is not decoded. */
const MAX_PICTURE_BYTES = 4 * 1024 * 1024;

/**
 * Returns the parts of the result of a tool, a prompt or a resource. Values that do not conform to MCP are shown as
 * JSON.
 */
export function partsOf(result: Json): readonly Part[] {
  const { description, content, messages, contents } = result;
  const about: readonly Part[] =
    typeof description === 'string' && description !== ''
      ? [{ head: '', kind: 'text', text: description }]
      : [];
  return [
    ...about,
    ...eachIn('content', content, (block) => [partOf(block, '')]),
    ...eachIn('messages', messages, (message) => messageParts(message)),
    ...eachIn('contents', contents, (resource) => [
      isJson(resource) ? embeddedPart(resource, '') : rawPart('no contents of a resource', resource),
    ]),
  ];
}

/** Returns the parts of a message, each with its role. With `head`, the kind of content is included. */
export function messageParts(message: unknown, head?: 'with kind'): readonly Part[] {
  if (!isJson(message)) return [rawPart('no message', message)];
  const { role, content } = message;
  const name = textIn(role) || 'no role';
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => {
    const kind = isJson(block) ? textIn(block['type']) || 'no type' : '';
    return partOf(block, head === undefined || kind === '' ? name : `${name} · ${kind}`);
  });
}

function eachIn(name: string, value: unknown, read: (member: unknown) => readonly Part[]): readonly Part[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [rawPart(`${name}, which is no list`, value)];
  return value.flatMap((member) => read(member));
}

function partOf(block: unknown, head: string): Part {
  if (!isJson(block)) return rawPart(head === '' ? 'no content block' : `${head} · no content block`, block);
  const { type, text, resource } = block;
  if (typeof text === 'string') return { head, kind: 'text', text };
  if (type === 'image' || type === 'audio') return media(block, head, textIn(block['data']));
  if (type === 'resource' && isJson(resource)) return embeddedPart(resource, head);
  if (type === 'resource_link') return link(block, head);
  return { head, kind: 'text', text: JSON.stringify(block, undefined, 2) };
}

/** Returns a part for a value that a client cannot use, unchanged from the server. */
function rawPart(head: string, value: unknown): Part {
  return { head, kind: 'text', text: JSON.stringify(value, undefined, 2) ?? 'nothing' };
}

function media({ mimeType }: Json, head: string, data: string): Part {
  const type = textIn(mimeType) || 'unknown type';
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  if (PICTURES.has(type.toLowerCase()) && bytes <= MAX_PICTURE_BYTES)
    return { head, kind: 'picture', type, data, bytes };
  return { head, kind: 'file', type, bytes };
}

function embeddedPart(resource: Json, role: string): Part {
  const { uri, mimeType, text, blob } = resource;
  const head = [role, textIn(uri), textIn(mimeType)].filter((word) => word !== '').join(' · ');
  if (typeof text === 'string') return { head, kind: 'text', text };
  return typeof blob === 'string'
    ? media(resource, head, blob)
    : { head, kind: 'text', text: JSON.stringify(resource, undefined, 2) };
}

function link(block: Json, head: string): Part {
  const { uri, name, title, description, mimeType } = block;
  const bytes = numberIn(block['size']);
  const notes = [textIn(description), textIn(mimeType), ...(bytes === undefined ? [] : [`${bytes} B`])];
  return {
    head,
    kind: 'link',
    uri: textIn(uri),
    name: textIn(title) || textIn(name) || textIn(uri),
    notes: notes.filter((note) => note !== '').join(' · '),
  };
}
