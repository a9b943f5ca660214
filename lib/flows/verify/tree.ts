import { FormatError } from '../../../formats/error.ts';
import { sizePair } from '../../../formats/size-words.ts';
import type { Tree, TreeEntry } from '../../../formats/tree.ts';
import type { Finding } from '../../kernel/content/index.ts';
import type { CarrierFile } from '../../parts/archives/index.ts';

/**
 * Files that are in a carrier's directory but not in the root's list, or the other way round; `onFile` is called for
 * those that are in both.
 */
export async function compareTree(
  tree: Tree,
  files: readonly CarrierFile[],
  onFile: (file: CarrierFile, entry: TreeEntry) => void = () => undefined,
): Promise<Finding[]> {
  const expected = new Map<string, CarrierFile>();
  const folders = new Set<string>();
  for (const file of files) {
    expected.set(file.path, file);
    addParents(file.path, folders);
  }
  const findings: Finding[] = [];
  try {
    for await (const entry of tree.walk()) {
      const { path, type, size } = entry;
      if (type === 'dir' && folders.has(path)) continue;
      const wanted = expected.get(path);
      // What is left in the end is missing.
      expected.delete(path);
      if (type !== 'file' || wanted === undefined) {
        findings.push({ code: 'unlisted-file', subject: path, message: `the root names no such ${type}` });
      } else if (wanted.size !== size) {
        const [has, right] = sizePair(size, wanted.size);
        const message = `has ${has} instead of ${right}`;
        findings.push({ code: 'structure-mismatch', subject: path, message });
      } else onFile(wanted, entry);
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [{ code: 'unreadable-tree', subject: 'directory', message: `${error.message} (${error.code})` }];
  }
  for (const path of expected.keys()) {
    findings.push({ code: 'missing-file', subject: path, message: 'the root names it, but it is not there' });
  }
  return findings;
}

/** Adds the folders that `path` lies in, up to one that is known already. */
function addParents(path: string, folders: Set<string>): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}
