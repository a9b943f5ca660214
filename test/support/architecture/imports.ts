import { posix } from 'node:path';
import type { Expression } from 'oxc-parser';
import { lineOf, type Sources, visit } from './code.ts';
import type { Graph } from './graph.ts';

/** One import or re-export, also of a type (`import('./x.ts').X`) and at run time (`await import('./x.ts')`). */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** As it is written: `./x.ts`, `node:fs`, `yaml`. */
  readonly specifier: string;
  /** The path of the imported source; undefined for a package. */
  readonly target: string | undefined;
  /** Whether it is gone at run time (`import type`, `export type`). */
  readonly typeOnly: boolean;
  /** Whether it is imported at run time, once it is needed. */
  readonly late: boolean;
  /** The names that are imported, as the target calls them; undefined if it may be any. */
  readonly names: readonly string[] | undefined;
}

/** Lists all that the source `from` imports. */
export function importsOf(from: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (start: number, specifier: string, kind: string | undefined, more: Partial<Import> = {}): void => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
    const line = lineOf(source, start);
    found.push({ from, line, specifier, target, typeOnly: kind === 'type', late: false, names: undefined, ...more });
  };
  visit(source, {
    ImportDeclaration: (node) => {
      const named = node.specifiers.flatMap((one) => (one.type === 'ImportSpecifier' ? [nameOf(one.imported)] : []));
      const names = named.length > 0 && named.length === node.specifiers.length ? named : undefined;
      add(node.start, node.source.value, node.importKind, { names });
    },
    ExportAllDeclaration: (node) => add(node.start, node.source.value, node.exportKind),
    ExportNamedDeclaration: (node) => {
      const names = node.specifiers.map(({ local }) => nameOf(local));
      if (node.source) add(node.start, node.source.value, node.exportKind, { names });
    },
    ImportExpression: (node) => add(node.start, literal(node.source), 'value', { late: true }),
    TSImportType: (node) => add(node.start, node.source.value, 'type'),
  });
  return found;
}

/** Draws which files import which: at run time alone, or with `types` also where that is gone at run time. */
export function importGraph(sources: Sources, { types }: { readonly types: boolean }): Graph {
  return new Map(
    [...sources].map(([path, source]) => {
      const targets = importsOf(path, source)
        .filter(({ typeOnly }) => types || !typeOnly)
        .flatMap(({ target }) => (target !== undefined && sources.has(target) ? [target] : []));
      return [path, new Set(targets)];
    }),
  );
}

/**
 * Draws which files import what other files define: the door of a room leads to the file of each name that is imported
 * through it, also by types. A door itself imports nothing for what it only passes on.
 */
export function definitionGraph(sources: Sources): Graph {
  const passes = passedOn(sources);
  return new Map(
    [...sources].map(([path, source]) => {
      const own = importsOf(path, source).filter(({ target }) => target !== undefined && sources.has(target));
      const targets = own.flatMap((one) => definersOf(one, passes));
      return [path, new Set(isDoor(path) ? targets.filter((target) => !isPassedTo(path, target, passes)) : targets)];
    }),
  );
}

/**
 * Lists the packages that come along with the source `start` as soon as it is imported, in the package, where the door
 * of a room brings along only what is imported through it.
 */
export function packagesWith(start: string, sources: Sources): string[] {
  const passes = passedOn(sources);
  const [seen, packages] = [new Set([start]), new Set<string>()];
  for (const path of seen) {
    for (const one of importsOf(path, sources.get(path) ?? '')) {
      if (one.typeOnly || one.late) continue;
      if (one.target === undefined) {
        if (!one.specifier.startsWith('node:')) packages.add(one.specifier);
      } else for (const target of definersOf(one, passes)) seen.add(target);
    }
  }
  return [...packages].sort();
}

/** For each file, the names that it only passes on, with the file that it has each from. */
type Passes = ReadonlyMap<string, ReadonlyMap<string, string>>;

function passedOn(sources: Sources): Passes {
  return new Map(
    [...sources].map(([path, source]) => {
      const names = new Map<string, string>();
      visit(source, {
        ExportNamedDeclaration: (node) => {
          if (!node.source?.value.startsWith('.')) return;
          const target = posix.join(posix.dirname(path), node.source.value);
          for (const { exported } of node.specifiers) names.set(nameOf(exported), target);
        },
      });
      return [path, names];
    }),
  );
}

/** The files that define what is imported; the file itself if that is not known. */
function definersOf({ target, names }: Import, passes: Passes): string[] {
  return [...new Set((names ?? ['']).map((name) => definerOf(target!, name, passes)))];
}

function definerOf(path: string, name: string, passes: Passes): string {
  const next = passes.get(path)?.get(name);
  return next === undefined || !isDoor(path) ? path : definerOf(next, name, passes);
}

function isPassedTo(door: string, target: string, passes: Passes): boolean {
  return [...(passes.get(door) ?? [])].some(([name, from]) => definerOf(from, name, passes) === target);
}

function isDoor(path: string): boolean {
  return /^lib\/.+\/index\.ts$/.test(path);
}

function nameOf(name: { readonly name: string } | { readonly value: string }): string {
  return 'name' in name ? name.name : name.value;
}

function literal(expression: Expression): string {
  return expression.type === 'Literal' && typeof expression.value === 'string' ? expression.value : '';
}
