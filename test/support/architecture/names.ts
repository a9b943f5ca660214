import type { Sources } from './code.ts';
import { declaredIn } from './exports.ts';

/** Finds exported names that two files declare: whoever searches for one should find one thing. */
export function declaredTwice(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  for (const [path, source] of sources) {
    for (const name of new Set(declaredIn(path, source).map((declared) => declared.name))) {
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  return [...files].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}
