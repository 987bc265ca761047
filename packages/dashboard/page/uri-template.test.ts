import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { expanded, variablesOf } from './uri-template.js';

/** The values of the examples of RFC 6570, section 3.2. */
const VALUES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  none: [],
};

it.each([
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{x,y}', '1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['?{x,empty}', '?1024,'],
  ['?{x,undef}', '?1024'],
  ['?{undef,y}', '?768'],
  ['{var:3}', 'val'],
  ['{var:30}', 'value'],
  ['{list}', 'red,green,blue'],
  ['{list*}', 'red,green,blue'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+half}', '50%25'],
  ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
  ['{+base}index', 'http://example.com/home/index'],
  ['{+path}/here', '/foo/bar/here'],
  ['up{+path}{var}/here', 'up/foo/barvalue/here'],
  ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{#var}', '#value'],
  ['{#hello}', '#Hello%20World!'],
  ['foo{#empty}', 'foo#'],
  ['foo{#undef}', 'foo'],
  ['{#x,hello,y}', '#1024,Hello%20World!,768'],
  ['{#list*}', '#red,green,blue'],
  ['{.who}', '.fred'],
  ['{.half,who}', '.50%25.fred'],
  ['www{.dom*}', 'www.example.com'],
  ['X{.empty}', 'X.'],
  ['X{.undef}', 'X'],
  ['X{.list}', 'X.red,green,blue'],
  ['X{.list*}', 'X.red.green.blue'],
  ['X{.none*}', 'X'],
  ['{/who}', '/fred'],
  ['{/half,who}', '/50%25/fred'],
  ['{/who,dub}', '/fred/me%2Ftoo'],
  ['{/var,empty}', '/value/'],
  ['{/var,undef}', '/value'],
  ['{/var:1,var}', '/v/value'],
  ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
  ['{;who}', ';who=fred'],
  ['{;empty}', ';empty'],
  ['{;v,empty,who}', ';v=6;empty;who=fred'],
  ['{;hello:5}', ';hello=Hello'],
  ['{;list}', ';list=red,green,blue'],
  ['{;list*}', ';list=red;list=green;list=blue'],
  ['{?x,y}', '?x=1024&y=768'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['{?x,y,undef}', '?x=1024&y=768'],
  ['{?list*}', '?list=red&list=green&list=blue'],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{&x,y,empty}', '&x=1024&y=768&empty='],
])('%s is %s, as RFC 6570 says', (template, uri) => {
  expect(expanded(template, VALUES)).toBe(uri);
});

it.each([
  'x:{',
  'x:}',
  'x:{}',
  'x:{=a}',
  'x:{a b}',
  'x:{a:0}',
  'x:{a:99999}',
  'x:{a*b}',
  'x:{a,}',
  'x:{$a}',
  'x:{{a}',
])('the expression that RFC 6570 does not have stays as it is: %s', (template) => {
  const own = template.replace('{a}', '1');
  expect(expanded(template, { a: '1' })).toBe(own);
});

it('characters beyond ASCII are encoded as UTF-8, and what is encoded already is not encoded again', () => {
  expect(expanded('x:{a}', { a: 'ä€😀' })).toBe('x:%C3%A4%E2%82%AC%F0%9F%98%80');
  expect(expanded('x:{a:1}', { a: '😀b' })).toBe('x:%F0%9F%98%80');
  expect(expanded('x:{+a}', { a: '%20 %' })).toBe('x:%20%20%25');
});

it('each variable is named once, in its order, and those with a star have lists', () => {
  expect(variablesOf('a://{b}/{+c:3}{?d*,b}{bad name}')).toEqual([
    { name: 'b', isList: false },
    { name: 'c', isList: false },
    { name: 'd', isList: true },
  ]);
  expect(variablesOf('a://{__proto__}{?toString}').map(({ name }) => name)).toEqual([
    '__proto__',
    'toString',
  ]);
  expect(expanded('{toString}', {})).toBe('');
});

it('any template is read, and without expressions it is its own URI', () => {
  fc.assert(
    fc.property(anyText(), fc.dictionary(fc.string(), fc.string()), (text, values) => {
      variablesOf(text);
      expanded(text, values);
      const plain = text.replaceAll(/[{}]/g, '');
      expect(expanded(plain, values)).toBe(plain);
    }),
  );
});

it('a simple expression gives its value back when it is decoded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      const [, uri = ''] = expanded('x:{a}', { a: value }).split('x:');
      expect(uri).toMatch(/^(?:[A-Za-z0-9\-._~]|%[\dA-F]{2})*$/);
      expect(decodeURIComponent(uri)).toBe(value);
    }),
  );
});
