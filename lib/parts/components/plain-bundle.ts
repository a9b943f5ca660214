import { join } from 'node:path';
import { MANIFESTS } from '../../../formats/bundle/files.ts';
import { readPlainBundle } from '../../../formats/bundle/plain.ts';
import { refused } from '../../kernel/events/index.ts';
import { readBundleFolder } from './bundle-folder.ts';
import type { Collected, ComponentKind, StatedObject } from './kind.ts';
import { requireUnreserved } from './reserved.ts';

const hint = 'put files with Kubernetes objects, and nothing else, into the folder manifests of the bundle';

/**
 * Kind `plain+v0`: the objects of all files in `manifests/`, applied as they are; what lies beside that folder is left
 * out.
 */
export const plainBundle: ComponentKind = {
  kind: 'plain+v0',
  isFixed: true,

  collect: async (spec, signal): Promise<Collected> => {
    const { files, contents } = await readBundleFolder(spec.root, spec.path, [MANIFESTS], signal);
    const stated = await refused('component-invalid', spec.path, () => readPlainBundle(contents), hint);
    requireUnreserved(
      spec.name,
      stated.map(({ object }) => object),
    );
    return { files, entry: '', values: [] };
  },

  render: async ({ name, folder, entry }, { signal }): Promise<StatedObject[]> => {
    const { contents } = await readBundleFolder(folder, join(folder, entry), [MANIFESTS], signal);
    return refused('component-invalid', name, () => readPlainBundle(contents), hint);
  },
};
