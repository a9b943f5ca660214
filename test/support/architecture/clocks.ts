import type { CallExpression } from 'oxc-parser';
import { lineOf, parsed, type Sources, visit } from './code.ts';
import { importsOf } from './imports.ts';

/** The one file that waits, for all tests. */
const WAITS = 'test/support/until.ts';
const LEAST = 60_000;

const members: Readonly<Record<string, readonly string[]>> = {
  expect: ['poll'],
  vi: ['waitFor', 'waitUntil'],
  performance: ['now'],
};

/**
 * Finds every place where a test knows the time, as `path:line: what`: timers, clocks, other ways to wait than those of
 * `test/support/until.ts`, and limits of less than a minute for these. A comment that begins with `Clock:` and says
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
