import { FormatError } from '../../formats/error.ts';
import type { Tree } from '../../formats/tree.ts';
import type { CarrierFile } from '../archives/index.ts';
import type { Finding } from '../model.ts';

/** Files that are in a carrier's directory but not in the root's list, or the other way round. */
export async function compareTree(tree: Tree, files: readonly CarrierFile[]): Promise<Finding[]> {
  const expected = new Map(files.map((file) => [file.path, file.size]));
  const folders = new Set(files.flatMap(({ path }) => parents(path)));
  const findings: Finding[] = [];
  const seen = new Set<string>();
  try {
    for await (const { path, type, size } of tree.walk()) {
      if (type === 'dir' && folders.has(path)) continue;
      seen.add(path);
      const wanted = expected.get(path);
      if (type !== 'file' || wanted === undefined) {
        findings.push({ code: 'unlisted-file', subject: path, message: `the root names no such ${type}` });
      } else if (wanted !== size) {
        findings.push({ code: 'structure-mismatch', subject: path, message: `has ${size} bytes instead of ${wanted}` });
      }
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [{ code: 'unreadable-tree', subject: 'directory', message: `${error.message} (${error.code})` }];
  }
  for (const path of expected.keys()) {
    if (!seen.has(path))
      findings.push({ code: 'missing-file', subject: path, message: 'the root names it, but it is not there' });
  }
  return findings;
}

function parents(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
