import { layoutTar } from '../../../formats/tar/layout.ts';
import { openTar, sniffTar } from '../../../formats/tar/read.ts';
import type { Carrier } from './carrier.ts';

/** An OCI archive: the image layout in a plain tar file, which `skopeo`, `oras` and `ctr` read as it is. */
export const tar: Carrier = {
  kind: 'tar',
  extension: '.tar',
  title: 'OCI archive (tar)',
  views: false,
  listsSignatures: true,
  tellsEnd: false,
  exempt: [],
  sniff: sniffTar,
  open: async (source) => {
    const tree = await openTar(source, { cut: true });
    return { tree, end: tree.end };
  },
  layout: (files, shape) => layoutTar(files, { modified: shape.created }),
};
