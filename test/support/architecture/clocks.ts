import type { Argument, CallExpression, Expression, Super } from 'oxc-parser';
import { lineOf, parsed, type Sources, visit } from './code.ts';
import { importsOf } from './imports.ts';

/** The one file that waits, for all tests. */
const WAITS = 'test/support/until.ts';
const LEAST = 60_000;
/** The limit that `vitest.config.ts` gives every test and hook. */
const PATIENCE = 600_000;

/** What makes tests and hooks, all of which take a limit. */
const makers: ReadonlySet<string> = new Set([
  ...['test', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach', 'onTestFinished'],
  ...['judged', 'controlPlaneTest', 'nodeTest', 'bareRootTest', 'neighbourTest', 'kernelTest'],
]);

const members: Readonly<Record<string, readonly string[]>> = {
  expect: ['poll'],
  vi: ['waitFor', 'waitUntil'],
  performance: ['now'],
};

/**
 * Finds every place where a test knows the time, as `path:line: what`: timers, clocks, other ways to wait than those of
 * `test/support/until.ts`, limits of less than a minute for these, and limits of tests and hooks below that of all. A comment that begins with `Clock:` and says
 * why, on the same line or on the one above, allows one.
 */
export function clockUses(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => (path === WAITS ? [] : usesIn(path, source)));
}

function usesIn(path: string, source: string): string[] {
  const allowed = parsed(source)
    .comments.filter(({ value }) => /^\s*Clock: \S/.test(value))
    .map(({ end }) => lineOf(source, end));
  const timers = ['setTimeout', 'setInterval', ...sleeping(path, source)];
  const found: string[] = [];
  visit(source, {
    CallExpression: (call) => {
      const what = whatOf(call, timers);
      const line = lineOf(source, call.start);
      if (what !== undefined && !allowed.includes(line) && !allowed.includes(line - 1)) {
        found.push(`${path}:${line}: ${what}`);
      }
    },
  });
  return found;
}

/** What of a call knows the time; undefined for nothing. */
function whatOf({ callee, arguments: given }: CallExpression, timers: readonly string[]): string | undefined {
  const end = makers.has(makerOf(callee)) ? limitOf(given) : undefined;
  if (end !== undefined && end < PATIENCE) return `a test or a hook with a limit of ${end} ms`;
  if (callee.type === 'MemberExpression') {
    const { object, property } = callee;
    if (object.type !== 'Identifier' || property.type !== 'Identifier') return undefined;
    return members[object.name]?.includes(property.name) ? `${object.name}.${property.name}` : undefined;
  }
  if (callee.type !== 'Identifier') return undefined;
  if (timers.includes(callee.name)) return callee.name;
  const limit = callee.name === 'until' ? given[2] : undefined;
  if (limit?.type !== 'Literal' || typeof limit.value !== 'number' || limit.value >= LEAST) return undefined;
  return `until with a limit of ${limit.value} ms`;
}

/** The name that a call begins with: `test` of `test.each(all)(…)`. */
function makerOf(callee: Expression | Super): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'CallExpression') return makerOf(callee.callee);
  return callee.type === 'MemberExpression' ? makerOf(callee.object) : '';
}

/** The limit among the arguments of a test or a hook: the last one, or `timeout` of its options. */
function limitOf(given: readonly Argument[]): number | undefined {
  const options = given.flatMap((one) => (one.type === 'ObjectExpression' ? one.properties : []));
  const named = options.flatMap((one) =>
    one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'timeout' ? [one.value] : [],
  );
  const [limit] = [given.at(-1), ...named].filter((one) => one?.type === 'Literal' && typeof one.value === 'number');
  return limit?.type === 'Literal' ? Number(limit.value) : undefined;
}

/** The names by which a file calls the timers of `node:timers/promises`. */
function sleeping(path: string, source: string): string[] {
  const isImported = importsOf(path, source).some(({ specifier }) => specifier === 'node:timers/promises');
  if (!isImported) return [];
  const names: string[] = [];
  visit(source, {
    ImportDeclaration: ({ source: from, specifiers }) => {
      if (from.value !== 'node:timers/promises') return;
      for (const one of specifiers) {
        const imported = one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : '';
        if (imported === 'setTimeout' || imported === 'setInterval') names.push(one.local.name);
      }
    },
  });
  return names;
}
