import type { Expression, VariableDeclarator } from 'oxc-parser';

/** What a function of the door leads to once it is called. */
export interface Later {
  /** The module, as the door names it: `./pack/index.ts`. */
  readonly specifier: string;
  /** What that module calls it. */
  readonly member: string;
}

/**
 * Reads `x = lazily(async () => (await import('./y.ts')).x)`, or the same with `lazilyEach`; undefined for any other
 * declaration.
 */
export function laterOf({ init }: VariableDeclarator): Later | undefined {
  if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return undefined;
  if (!['lazily', 'lazilyEach'].includes(init.callee.name)) return undefined;
  const [load] = init.arguments;
  if (load?.type !== 'ArrowFunctionExpression' || load.body.type !== 'MemberExpression') return undefined;
  const { object, property } = load.body;
  const loaded = bare(object);
  if (property.type !== 'Identifier' || loaded.type !== 'AwaitExpression') return undefined;
  const { argument } = loaded;
  if (argument.type !== 'ImportExpression' || argument.source.type !== 'Literal') return undefined;
  return { specifier: String(argument.source.value), member: property.name };
}

function bare(expression: Expression): Expression {
  return expression.type === 'ParenthesizedExpression' ? expression.expression : expression;
}
