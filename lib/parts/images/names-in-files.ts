import { isDockerArchive, readDockerArchive } from '../../../formats/docker-archive/read.ts';
import { layoutPaths, parseLayoutIndex } from '../../../formats/oci/layout.ts';
import { MANIFEST_LIMIT } from '../../../formats/oci/manifest.ts';
import { type Host, refused, SolpackError } from '../../kernel/events/index.ts';
import { folderFiles, readSmall, type SourceFiles, type SourceTar, tarFiles } from './files.ts';
import { namesOf } from './names.ts';

/** Images that lie in a file or a folder. */
export interface ImageFiles {
  /** The transport that takes images from there. */
  readonly transport: 'oci' | 'oci-archive' | 'docker-archive' | 'solpack';
  /** The names of each image, as they are stored; none where it has no name. */
  readonly images: readonly (readonly string[])[];
}

/** Lists the images of an OCI layout in a folder; undefined where the folder is none. Throws `source-invalid`. */
export async function imagesInFolder(path: string): Promise<ImageFiles | undefined> {
  return layoutImages(folderFiles(path), 'oci');
}

/**
 * Lists the images of a tar archive, as `docker save`, `podman save` and `skopeo` write it; undefined for any other
 * file. Throws `source-invalid` where it is damaged.
 */
export async function imagesInArchive(path: string, host: Host): Promise<ImageFiles | undefined> {
  const tar = await tarFiles(path, host).catch((error) => {
    if (error instanceof SolpackError && error.code === 'source-invalid') return undefined;
    throw error;
  });
  if (tar === undefined) return undefined;
  try {
    if (await tar.tree.lookup('.solpack/root.json')) return { transport: 'solpack', images: [] };
    // Docker's own list has all names; its layout has them only where they were pulled.
    if (await isDockerArchive(tar.tree)) return await dockerImages(tar);
    return await layoutImages(tar, 'oci-archive');
  } finally {
    await tar.close();
  }
}

async function dockerImages(tar: SourceTar): Promise<ImageFiles> {
  const read = (): ReturnType<typeof readDockerArchive> => readDockerArchive(tar.tree, tar.source);
  const images = await refused(
    'source-invalid',
    tar.name,
    read,
    'write the archive again with docker save or podman save',
  );
  return { transport: 'docker-archive', images: images.map(({ repoTags }) => repoTags) };
}

async function layoutImages(files: SourceFiles, transport: 'oci' | 'oci-archive'): Promise<ImageFiles | undefined> {
  if ((await readSmall(files, layoutPaths.marker, MANIFEST_LIMIT)) === undefined) return undefined;
  const bytes = await readSmall(files, layoutPaths.index, MANIFEST_LIMIT);
  if (bytes === undefined) return undefined;
  const { manifests } = await refused(
    'source-invalid',
    files.name,
    () => parseLayoutIndex(bytes),
    'make the copy again',
  );
  return { transport, images: manifests.map(namesOf) };
}
