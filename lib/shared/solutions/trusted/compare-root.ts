import { solutionAnnotations } from '../../../../formats/solution/metadata.ts';
import type { Finding } from '../../../kernel/content/index.ts';
import { archivePaths, type Catalog, sumsDigests } from '../../../parts/archives/index.ts';

/** Finds annotations of the root that disagree with what it refers to. */
export function compareRoot(catalog: Catalog): Finding[] {
  const { index, metadata } = catalog;
  const sums = sumsDigests(catalog);
  const expected = {
    [solutionAnnotations.name]: metadata.name,
    [solutionAnnotations.version]: metadata.version,
    [solutionAnnotations.sums]: sums.plain,
    [solutionAnnotations.sumsWithViews]: sums.withViews,
  };
  return Object.entries(expected).flatMap(([key, value]): Finding[] => {
    const found = index.annotations[key];
    if (found === value) return [];
    const message = `its annotation ${key} is ${found ?? 'missing'} instead of ${value}`;
    return [{ code: 'root-invalid', subject: archivePaths.root, message }];
  });
}
