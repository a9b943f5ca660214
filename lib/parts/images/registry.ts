import { parseReference } from '../../../formats/oci/reference.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import type { ImageSourceKind } from './kind.ts';

/** `docker://reference`: a repository of a registry. Where the reference has a digest, its tag is ignored. */
export const registry: ImageSourceKind = {
  transport: 'docker',
  open: async (location, context) => {
    const spec = `docker:${location}`;
    const hint = 'write docker://HOST/REPOSITORY:TAG or docker://HOST/REPOSITORY@DIGEST';
    if (!location.startsWith('//')) throw new SolpackError('source-invalid', spec, 'has no // after docker:', { hint });
    const reference = await refused('source-invalid', spec, () => parseReference(location.slice(2)), hint);
    const { digest, tag = 'latest' } = reference;
    return { source: await context.connect(reference), name: digest ?? tag };
  },
};
