import { posix } from 'node:path';
import { lineOf, type Sources } from './code.ts';

/** One import or re-export. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** As it is written: `./x.ts`, `node:fs`, `yaml`. */
  readonly specifier: string;
  /** The path of the imported source; undefined for a package. */
  readonly target: string | undefined;
  /** Whether it is gone at run time (`import type`, `export type`). */
  readonly typeOnly: boolean;
}

const statement = /^(?:import|export)\b(\s+type\b)?[^;'"]*?\bfrom\s*['"]([^'"\n]+)['"]/gm;
const bareStatement = /^import(\s*)['"]([^'"\n]+)['"]/gm;
const call = /\bimport(\s*)\(\s*['"]([^'"\n]+)['"]/g;

/** All that the source `from` imports. */
export function importsOf(from: string, source: string): Import[] {
  return [statement, bareStatement, call].flatMap((pattern) =>
    [...source.matchAll(pattern)].map((match) => {
      const specifier = match[2]!;
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;
      const typeOnly = pattern === statement && match[1] !== undefined;
      return { from, line: lineOf(source, match.index), specifier, target, typeOnly };
    }),
  );
}

/** Each circle of imports that exist at run time, as `a -> b -> a`. */
export function cycles(sources: Sources): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      return;
    }
    state.set(file, 'open');
    path.push(file);
    for (const { target, typeOnly } of importsOf(file, sources.get(file) ?? '')) {
      if (target !== undefined && !typeOnly && sources.has(target)) visit(target);
    }
    path.pop();
    state.set(file, 'done');
  };
  for (const file of sources.keys()) visit(file);
  return found;
}
