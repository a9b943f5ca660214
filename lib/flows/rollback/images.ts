import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { MissingImage } from '../../shared/solutions/clusters/index.ts';

/** Returns the error that names images which cannot be pulled, and the archives that have them. */
export function imagesGone(missing: readonly MissingImage[], flag: string): SolpackError {
  const words = missing.map(({ image: { reference }, reason }) => {
    const { registry, repository, tag } = parseReference(reference);
    return `${formatReference({ registry, repository, ...(tag === undefined ? {} : { tag }) })} (${reason})`;
  });
  const shown = words.slice(0, NAMED).join('; ');
  const more = words.length > NAMED ? ` and ${words.length - NAMED} more` : '';
  const archives = [...new Set(missing.flatMap(({ archive, solution }) => archive ?? `one of ${solution}`))];
  const subject = [...new Set(missing.map(({ solution }) => solution))].join(', ');
  const isOnNode = missing.every(({ image }) => image.at === undefined && image.on !== undefined);
  const again = isOnNode ? 'install' : 'serve or push';
  return new SolpackError(
    'image-missing',
    subject,
    `images ${isOnNode ? 'are not there' : 'cannot be pulled'}: ${shown}${more}`,
    {
      hint: `${again} ${archives.join(', ')}, which has them; or continue without them by ${flag}`,
    },
  );
}

/** How many images an error names. */
const NAMED = 5;
