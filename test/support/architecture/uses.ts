import type { Expression, MemberExpression, Super } from 'oxc-parser';
import { lineOf, type Sources, visit } from './code.ts';
import { importsOf } from './imports.ts';

const ambient = ['env', 'argv', 'cwd', 'chdir', 'exit', 'exitCode', 'stdin', 'stdout', 'stderr'];
const leavesOut = ['skip', 'only', 'todo', 'skipIf', 'runIf'];

/** The one file beside cli that reads the environment: it does so for programs that call the library. */
const DEFAULT_FLOW = 'lib/default-flow.ts';

/** Finds every use of the environment or the terminal outside of cli, as `path:line: what`. */
export function ambientUses(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => !path.startsWith('cli/') && path !== DEFAULT_FLOW)
    .flatMap(([path, source]) => [
      ...importsOf(path, source)
        .filter(({ specifier }) => /^(?:node:)?process$/.test(specifier))
        .map(({ line, specifier }) => `${path}:${line}: ${specifier}`),
      ...membersOf(path, source, (object, property) => {
        if (object.type !== 'Identifier') return false;
        return object.name === 'console' || (object.name === 'process' && ambient.includes(property));
      }),
    ]);
}

/** Finds every test that its author leaves out, or leaves alone (`test.only`). */
export function leftOut(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    membersOf(path, source, (object, property) => {
      return leavesOut.includes(property) && ['test', 'it', 'describe', 'suite'].includes(firstOf(object));
    }),
  );
}

/** Finds every `using` declaration. */
export function usingDeclarations(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const found: string[] = [];
    visit(source, {
      VariableDeclaration: ({ kind, start }) => {
        if (kind.endsWith('using')) found.push(`${path}:${lineOf(source, start)}: ${kind}`);
      },
    });
    return found;
  });
}

function membersOf(
  path: string,
  source: string,
  isMeant: (object: Expression | Super, property: string) => boolean,
): string[] {
  const found: string[] = [];
  visit(source, {
    MemberExpression: (node) => {
      const property = propertyOf(node);
      if (property === undefined || !isMeant(node.object, property)) return;
      found.push(`${path}:${lineOf(source, node.start)}: ${firstOf(node.object)}.${property}`);
    },
  });
  return found;
}

/** The name that a member is asked for by, as far as it is written there. */
function propertyOf({ computed, property }: MemberExpression): string | undefined {
  if (!computed) return 'name' in property ? property.name : undefined;
  return property.type === 'Literal' ? String(property.value) : undefined;
}

/** The name that a chain of members and calls begins with; empty where that is none. */
function firstOf(expression: Expression | Super): string {
  if (expression.type === 'Identifier') return expression.name;
  if (expression.type === 'MemberExpression') return firstOf(expression.object);
  return expression.type === 'CallExpression' ? firstOf(expression.callee) : '';
}
