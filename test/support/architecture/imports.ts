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
}

/** Lists all that the source `from` imports. */
export function importsOf(from: string, source: string): Import[] {
  const found: Import[] = [];
  const add = (start: number, specifier: string, kind: string | undefined, late = false): void => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
    found.push({ from, line: lineOf(source, start), specifier, target, typeOnly: kind === 'type', late });
  };
  visit(source, {
    ImportDeclaration: (node) => add(node.start, node.source.value, node.importKind),
    ExportAllDeclaration: (node) => add(node.start, node.source.value, node.exportKind),
    ExportNamedDeclaration: (node) => node.source && add(node.start, node.source.value, node.exportKind),
    ImportExpression: (node) => add(node.start, literal(node.source), 'value', true),
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

/** Lists the packages that come along with the source `start` as soon as it is imported. */
export function packagesWith(start: string, sources: Sources): string[] {
  const [seen, packages] = [new Set([start]), new Set<string>()];
  for (const path of seen) {
    for (const { specifier, target, typeOnly, late } of importsOf(path, sources.get(path) ?? '')) {
      if (typeOnly || late) continue;
      if (target !== undefined) seen.add(target);
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return [...packages].sort();
}

function literal(expression: Expression): string {
  return expression.type === 'Literal' && typeof expression.value === 'string' ? expression.value : '';
}
