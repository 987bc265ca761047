import type { Json } from './connection.js';

/** The properties of a JSON Schema for an object, as far as a form needs them. */
interface Property {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly options: readonly string[];
  readonly isRequired: boolean;
}

/** What was typed, by the name of the property. */
export type Typed = Readonly<Record<string, string>>;

function propertiesOf(schema: Json): readonly Property[] {
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries((properties ?? {}) as Readonly<Record<string, Json>>).map(([name, property]) => ({
    name,
    type: typeof property['type'] === 'string' ? property['type'] : 'json',
    description: typeof property['description'] === 'string' ? property['description'] : '',
    options: Array.isArray(property['enum']) ? property['enum'].map(String) : [],
    isRequired: needed.includes(name),
  }));
}

/** The fields of a form for a schema. */
export function SchemaFields(props: {
  readonly schema: Json;
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
}) {
  const { schema, typed, onTyped } = props;
  const properties = propertiesOf(schema);
  if (properties.length === 0) return <p class="empty">It takes no arguments.</p>;
  return (
    <>
      {properties.map((property) => (
        <label key={property.name} class="field">
          <span>
            {property.name}
            {property.isRequired ? ' (required)' : ''}: {property.type}
          </span>
          <Input
            property={property}
            value={typed[property.name] ?? ''}
            onValue={(value) => onTyped({ ...typed, [property.name]: value })}
          />
          {property.description !== '' && <small class="calm">{property.description}</small>}
        </label>
      ))}
    </>
  );
}

function Input(props: {
  readonly property: Property;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const { property, value, onValue } = props;
  const options = property.type === 'boolean' ? ['true', 'false'] : property.options;
  if (options.length > 0)
    return (
      <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        <option value=""></option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  const isText = ['string', 'number', 'integer'].includes(property.type);
  return isText ? (
    <input value={value} onInput={(event) => onValue(event.currentTarget.value)} />
  ) : (
    <textarea value={value} placeholder="JSON" onInput={(event) => onValue(event.currentTarget.value)} />
  );
}

/**
 * The arguments that were typed.
 *
 * @throws Error for a text that its property cannot have
 */
export function typedArguments(schema: Json, typed: Typed): Json {
  const pairs = propertiesOf(schema).flatMap(({ name, type }): [string, unknown][] => {
    const text = typed[name] ?? '';
    if (text === '') return [];
    return [[name, type === 'string' ? text : parsed(name, text)]];
  });
  return Object.fromEntries(pairs);
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON: ${text}`);
  }
}
