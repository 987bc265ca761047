import type { Json } from './connection.js';
import { expanded, variablesOf, type TemplateValues } from './uri-template.js';
import { objectsIn, textIn } from './values.js';

/** The kinds of entries that the page gets or reads. */
export type ItemKind = 'prompts' | 'resources' | 'resourceTemplates';

/** The form with which the page gets a prompt or reads a resource. */
export interface ItemForm {
  readonly method: 'prompts/get' | 'resources/read';
  readonly schema: Json;
  /** The text of the button. */
  readonly submit: string;
  /** The text if the form has no fields. */
  readonly empty: string;
  /** The subject of suggestions. Undefined if there are no suggestions. */
  readonly ref?: Json;
  /** Returns the params of the request with the values of the form. */
  readonly params: (typed: Json) => Json;
}

/** Returns the form for an entry, with the arguments of a prompt or the variables of a template. */
export function itemForm(kind: ItemKind, entry: Json): ItemForm {
  switch (kind) {
    case 'prompts':
      return promptForm(entry);
    case 'resources':
      return {
        method: 'resources/read',
        schema: { properties: {} },
        submit: 'Read the resource',
        empty: 'The resource has a fixed address.',
        params: () => ({ uri: entry['uri'] }),
      };
    case 'resourceTemplates':
      return templateForm(textIn(entry['uriTemplate']));
  }
}

function promptForm({ name, arguments: list }: Json): ItemForm {
  const fields = objectsIn(list).filter((field) => textIn(field['name']) !== '');
  const properties = fields.map((field) => [
    textIn(field['name']),
    { type: 'string', title: textIn(field['title']), description: textIn(field['description']) },
  ]);
  const required = fields.filter((field) => field['required'] === true).map((field) => field['name']);
  return {
    method: 'prompts/get',
    schema: { type: 'object', properties: Object.fromEntries(properties), required },
    submit: 'Get the prompt',
    empty: 'The prompt takes no arguments.',
    ref: { type: 'ref/prompt', name },
    params: (typed) => ({ name, arguments: typed }),
  };
}

function templateForm(template: string): ItemForm {
  const properties = variablesOf(template).map(({ name, isList }) => [
    name,
    isList ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
  ]);
  return {
    method: 'resources/read',
    schema: { type: 'object', properties: Object.fromEntries(properties) },
    submit: 'Read the resource',
    empty: 'The template has no variables.',
    ref: { type: 'ref/resource', uri: template },
    params: (typed) => ({ uri: expanded(template, typed as TemplateValues) }),
  };
}

/** Returns the params of a request for suggestions, which are the argument and the values of the other arguments. */
export function suggestionParams(ref: Json, argument: Json, others: Json): Json {
  const known = Object.entries(others).filter(
    ([name, value]) => name !== argument['name'] && typeof value === 'string',
  );
  return {
    ref,
    argument,
    ...(known.length > 0 && { context: { arguments: Object.fromEntries(known) } }),
  };
}
