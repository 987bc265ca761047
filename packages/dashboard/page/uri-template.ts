/** A variable of a URI template (RFC 6570). */
export interface TemplateVariable {
  readonly name: string;
  /** True if the variable has a list of values, which is written with `*`. */
  readonly isList: boolean;
}

/** The values of variables. A variable without a value, or with an empty list, is omitted. An empty text is a value. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>;

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  /** The text that is inserted between the name and an empty value. */
  readonly ifEmpty: string;
  /** True if reserved characters are not escaped. */
  readonly isReserved: boolean;
}

interface VariableUse extends TemplateVariable {
  /** The maximum number of characters from the value. */
  readonly length: number;
}

type TemplatePart =
  | { readonly literal: string }
  | { readonly operator: Operator; readonly uses: readonly VariableUse[] };

const SIMPLE: Operator = { first: '', separator: ',', isNamed: false, ifEmpty: '', isReserved: false };
const OPERATORS: Readonly<Record<string, Operator>> = {
  '': SIMPLE,
  '+': { ...SIMPLE, isReserved: true },
  '#': { ...SIMPLE, first: '#', isReserved: true },
  '.': { ...SIMPLE, first: '.', separator: '.' },
  '/': { ...SIMPLE, first: '/', separator: '/' },
  ';': { ...SIMPLE, first: ';', separator: ';', isNamed: true },
  '?': { ...SIMPLE, first: '?', separator: '&', isNamed: true, ifEmpty: '=' },
  '&': { ...SIMPLE, first: '&', separator: '&', isNamed: true, ifEmpty: '=' },
};
const EXPRESSION = /(\{[^{}]*\})/;
const NAME = /^(?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*$/;
const UNRESERVED = /[A-Za-z0-9\-._~]/;
const RESERVED = /[:/?#[\]@!$&'()*+,;=]/;

/** Returns the variables of a template in order, without duplicates. */
export function variablesOf(template: string): readonly TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  for (const part of partsOf(template)) {
    if ('literal' in part) continue;
    for (const { name, isList } of part.uses)
      found.set(name, { name, isList: isList || found.get(name)?.isList === true });
  }
  return [...found.values()];
}

/** Returns the URI of a template with these values. An expression that is not valid in RFC 6570 is unchanged. */
export function expanded(template: string, values: TemplateValues): string {
  return partsOf(template)
    .map((part) => ('literal' in part ? part.literal : expression(part.operator, part.uses, values)))
    .join('');
}

function partsOf(template: string): readonly TemplatePart[] {
  return template.split(EXPRESSION).map((text) => {
    const [, sign = '', list = ''] = /^\{([+#./;?&]?)(.*)\}$/s.exec(text) ?? [];
    const uses = list.split(',').map(useOf);
    const operator = OPERATORS[sign];
    const known = uses.filter((use) => use !== undefined);
    if (operator === undefined || known.length < uses.length) return { literal: text };
    return { operator, uses: known };
  });
}

function useOf(text: string): VariableUse | undefined {
  const [, name = '', length, star] = /^(.*?)(?::([1-9]\d{0,3})|(\*))?$/s.exec(text) ?? [];
  if (!NAME.test(name)) return undefined;
  return { name, isList: star === '*', length: length === undefined ? Infinity : Number(length) };
}

function expression(operator: Operator, uses: readonly VariableUse[], values: TemplateValues): string {
  const { first, separator } = operator;
  const parts = uses.flatMap((use) => {
    const value = Object.hasOwn(values, use.name) ? values[use.name] : undefined;
    if (value === undefined) return [];
    if (typeof value === 'string')
      return [one(operator, use, Array.from(value).slice(0, use.length).join(''))];
    if (value.length === 0) return [];
    if (use.isList) return value.map((member) => one(operator, use, member));
    return [named(operator, use, value.map((member) => encoded(operator, member)).join(','))];
  });
  return parts.length === 0 ? '' : first + parts.join(separator);
}

function one(operator: Operator, use: VariableUse, value: string): string {
  return named(operator, use, encoded(operator, value));
}

function named({ isNamed, ifEmpty }: Operator, { name }: VariableUse, value: string): string {
  if (!isNamed) return value;
  return value === '' ? `${name}${ifEmpty}` : `${name}=${value}`;
}

function encoded({ isReserved }: Operator, text: string): string {
  const pieces = isReserved ? text.split(/(%[\dA-Fa-f]{2})/) : [text];
  return pieces
    .map((piece, index) =>
      index % 2 === 1 ? piece : Array.from(piece, (character) => code(character, isReserved)).join(''),
    )
    .join('');
}

function code(character: string, isReserved: boolean): string {
  if (UNRESERVED.test(character) || (isReserved && RESERVED.test(character))) return character;
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
