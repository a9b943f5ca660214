import { byteOrder, text } from '../../../../formats/bytes.ts';
import { FormatError } from '../../../../formats/error.ts';
import { CRD_SUFFIX, metalk8sPaths } from '../../../../formats/metalk8s/names.ts';
import { parseOperatorRoles } from '../../../../formats/metalk8s/operator.ts';
import { parseMetalk8sManifest, parseMetalk8sProduct } from '../../../../formats/metalk8s/solution.ts';
import { sizeWords } from '../../../../formats/size-words.ts';
import type { TreeEntry } from '../../../../formats/tree.ts';
import { entryReader, type OpenedFiles } from '../../../parts/archives/index.ts';
import type { Metalk8sMedium, ReadEntry } from './found.ts';
import { findImages } from './images.ts';

/** Most bytes of a file that is read whole: no manifest of a Solution comes near. */
const LIMIT = 4 * 1024 * 1024;

/** Returns whether files look like those of a Solution for MetalK8s, however they are wrong. */
export async function isMetalk8sMedium({ tree }: Pick<OpenedFiles, 'tree'>): Promise<boolean> {
  const [images, manifest, product] = await Promise.all([
    tree.lookup(metalk8sPaths.images),
    tree.lookup(metalk8sPaths.manifest),
    tree.lookup(metalk8sPaths.product),
  ]);
  return images?.type === 'dir' && (manifest?.type === 'file' || product?.type === 'file');
}

/**
 * Reads what a medium for MetalK8s says about itself, and the manifests of its images; no layer. Throws `FormatError`.
 */
export async function readMedium(opened: OpenedFiles): Promise<Metalk8sMedium> {
  const { manifest, product, config, roles } = metalk8sPaths;
  const described = await readWhole(opened, manifest);
  const texts = described ? [described] : await Promise.all([product, config].map((path) => readWhole(opened, path)));
  const [main, more] = texts;
  if (!main) throw new FormatError('solution-invalid', `it has neither ${manifest} nor ${product}`);
  const solution = described
    ? parseMetalk8sManifest(textOf(main))
    : parseMetalk8sProduct(textOf(main), more && textOf(more));
  const role = await readWhole(opened, roles);
  const entries: TreeEntry[] = [];
  for (const folder of ['operator', 'ui']) {
    if ((await opened.tree.lookup(folder))?.type !== 'dir') continue;
    for await (const entry of opened.tree.walk(folder)) entries.push(entry);
  }
  const files = entries.filter(({ type }) => type === 'file').map(({ path }) => path);
  const crds: ReadEntry[] = [];
  for (const path of files.filter(isCrd).sort(byteOrder)) crds.push((await readWhole(opened, path))!);
  return {
    solution,
    descriptions: texts.filter((one) => one !== undefined),
    crds,
    roles: role ? parseOperatorRoles(textOf(role), roles) : [],
    unused: files.filter((path) => !isCrd(path) && path !== roles).sort(byteOrder),
    ...(await findImages(opened)),
  };
}

/** Whether MetalK8s applies the file, which it finds in any folder below that of the definitions. */
function isCrd(path: string): boolean {
  return path.startsWith(`${metalk8sPaths.crds}/`) && path.endsWith(CRD_SUFFIX);
}

/** Reads a small file whole; undefined where there is none. */
export async function readWhole(opened: OpenedFiles, path: string): Promise<ReadEntry | undefined> {
  const entry = await opened.tree.lookup(path);
  if (entry?.type !== 'file') return undefined;
  if (entry.size > LIMIT) throw new FormatError('solution-invalid', `its ${path} has ${sizeWords(entry.size)}`);
  const bytes = await entryReader(opened.file, entry).read(0, entry.size);
  return { path, bytes };
}

function textOf({ bytes }: ReadEntry): string {
  return text(bytes, 'yaml-invalid');
}
