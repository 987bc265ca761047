// Rules of this repository that the linter does not bring itself; .oxlintrc.json loads them.

const DECLARATIONS = new Set([
  'ClassDeclaration',
  'FunctionDeclaration',
  'TSEnumDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'VariableDeclaration',
]);

/** An export is a promise: each is written on purpose, so `export *` is refused. */
const noExportAll = {
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: 'Export each name on purpose instead of everything.' });
      },
    };
  },
};

/** What a file exports has a doc comment: its meaning, units, errors. */
const documentedExports = {
  create(context) {
    return {
      ExportNamedDeclaration(node) {
        if (!DECLARATIONS.has(node.declaration?.type)) return;
        const before = context.sourceCode.getCommentsBefore(node).at(-1);
        if (before?.type === 'Block' && before.value.startsWith('*')) return;
        if (isFurtherOverload(node)) return;
        context.report({ node, message: 'Say in a doc comment what this export means.' });
      },
    };
  },
};

const DOC_START = /^\*\s*(?:\*\s*)?(\w+)/;
const WITHOUT_SUBJECT = new Set([
  'It',
  'So',
  'That',
  'Those',
  'What',
  'Whatever',
  'Whether',
  'Who',
  'Whoever',
  'Whom',
  'Whose',
]);

/** A doc comment begins with the thing that it describes, or with the verb of a function. */
const namedSubject = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const [, word] = (comment.type === 'Block' && DOC_START.exec(comment.value)) || [];
          if (!WITHOUT_SUBJECT.has(word)) continue;
          const message = `Begin with the name of the thing, "True if …" or "Returns …", not with "${word}".`;
          context.report({ loc: comment.loc, message });
        }
      },
    };
  },
};

// words of the vocabulary's list, as parts of a name: `tellOwner`, `toldAfter`
const BANNED_WORD = /(?:^|[a-z\d_])(?:[tT]ells?|[tT]elling|[tT]old)(?=[A-Z_\d]|$)|^Told|^(?:un)?told/;

/** Words that make a comment hard to read, each with the words in its place. */
const HARD_WORDS = [
  [/\b(?:[Nn]obody|[Ww]hoever|[Ss]omebody|[Aa]nybody)\b/, 'the actor: "no client", "the caller"'],
  [/\banew\b/i, '"again"'],
  [/\bany more\b/i, '"no longer"'],
  [/\ball the same\b/i, '"anyway"'],
  [/\b(?:that|those|the ones?) of (?:the|its|their|this|another|all)\b/i, 'the noun once more'],
  [/(?<!there )\b(?:is|are|was|were) no (?!longer|more|less|way|need|such)\w+/i, '"is not a …"'],
  [/\bin clear\b/i, '"in plain text"'],
  [/\b(?:is|are) to be\b/i, '"must" or "will"'],
  [/\breplac(?:es?|ing)\b(?:(?!\bwith\b)[^.,;])* by\b/i, '"with"'],
  [/\bfor always\b/i, '"permanently"'],
  [/\bin the order of (?:their )?addition\b/i, '"in the order they were added"'],
  [/\bedits? after which\b/i, '"edits that make"'],
  [/\ba mcpmux\b/i, '"an mcpmux"'],
  [/\b(?:packages?|programs?|servers?) of (?:NATS|Node\.js|Python|npm)\b/, 'the name first: "a NATS server"'],
];

/** Comments of sources name the actor and the thing, in words that need no second reading. */
const plainComments = {
  create(context) {
    return {
      Program() {
        for (const node of context.sourceCode.getAllComments()) {
          const text = node.value.replaceAll(/\s*\n\s*\*?\s*/g, ' ');
          for (const [word, better] of HARD_WORDS) {
            const [found] = word.exec(text) ?? [];
            if (found !== undefined)
              context.report({ node, message: `In place of "${found}" write ${better}.` });
          }
        }
      },
    };
  },
};

/** Names take the field's words: `report` and `notify`, not `tell`. */
const fieldWords = {
  create(context) {
    return {
      Identifier(node) {
        if (!BANNED_WORD.test(node.name)) return;
        context.report({ node, message: `Name "${node.name}" with report, notify or send, not with tell.` });
      },
    };
  },
};

// overloads of one function share the comment of the first
function isFurtherOverload(node) {
  const siblings = node.parent.body;
  const previous = siblings[siblings.indexOf(node) - 1];
  const name = node.declaration.id?.name;
  return name !== undefined && previous?.declaration?.id?.name === name;
}

const OF_ONE_ERA =
  /^(?:initialize|ping|logging\/setLevel|resources\/(?:un)?subscribe|roots\/.*|sampling\/.*|elicitation\/.*|tasks\/.*|server\/discover|subscriptions\/listen|notifications\/(?:initialized|roots\/.*|elicitation\/.*|tasks\/.*))$/;
const REVISION = /^20\d\d-\d\d-\d\d$/;

/** Methods that one era of the protocol alone has, and revisions, are named by dialects only. */
const noEraOutsideDialects = {
  create(context) {
    const check = (node, text) => {
      if (typeof text !== 'string' || !(OF_ONE_ERA.test(text) || REVISION.test(text))) return;
      const message = `'${text}' belongs to one era: only kit/src/session-methods.ts and, in core, server/dialect/ and client/{legacy,modern,bridge}/ name it.`;
      context.report({ node, message });
    };
    return {
      Literal: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked),
    };
  },
};

const SESSION_METHODS = new Set([
  'INITIALIZE',
  'INITIALIZED',
  'LISTEN',
  'SET_LEVEL',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
]);

/** A file of core that is not a dialect does not take such a method from the kit either. */
const noSessionMethodsOutsideDialects = {
  create(context) {
    return {
      ImportSpecifier(node) {
        if (node.parent.source.value !== '@mcpmux/kit' || !SESSION_METHODS.has(node.imported.name)) return;
        const message = `${node.imported.name} belongs to one era: take it from the dialect.`;
        context.report({ node, message });
      },
    };
  },
};

/**
 * A call of a constructor names each dependency, so a reader sees what the object takes. `...(isSet && { name })` names
 * its member, so it is fine.
 */
const noSpreadIntoConstructors = {
  create(context) {
    return {
      NewExpression(node) {
        for (const bag of node.arguments.flatMap(bagsIn)) {
          const message = 'Name the members that the class takes, or pass the object as its own argument.';
          context.report({ node: bag, message });
        }
      },
    };
  },
};

// the spreads in an object literal, conditional members aside
function bagsIn({ type, properties = [] }) {
  if (type !== 'ObjectExpression') return [];
  return properties.flatMap((property) => {
    if (property.type !== 'SpreadElement') return [];
    const { argument } = property;
    const isMember = argument.operator === '&&' && argument.right.type === 'ObjectExpression';
    return isMember ? bagsIn(argument.right) : [property];
  });
}

export default {
  meta: { name: 'mcpmux' },
  rules: {
    'no-export-all': noExportAll,
    'documented-exports': documentedExports,
    'named-subject': namedSubject,
    'field-words': fieldWords,
    'plain-comments': plainComments,
    'no-era-outside-dialects': noEraOutsideDialects,
    'no-session-methods-outside-dialects': noSessionMethodsOutsideDialects,
    'no-spread-into-constructors': noSpreadIntoConstructors,
  },
};
