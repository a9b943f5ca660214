import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { ForeignImage } from '../../shared/rendering/index.ts';

/** How many images an error names. */
const NAMED = 5;

/**
 * Deals with images that components use and no archive holds: where there is no network, nobody can pull them. Throws
 * `image-missing` where they are `needed`, otherwise reports them.
 */
export function requireImages(missing: readonly ForeignImage[], needed: boolean, flow: Flow): void {
  if (needed && missing.length > 0) throw absent(missing);
  for (const { image, component, archive } of missing) {
    flow.onEvent({
      type: 'notice',
      subject: image,
      message: `is used by component ${component}, but is not in ${archive}`,
    });
  }
}

function absent(missing: readonly ForeignImage[]): SolpackError {
  const named = missing.slice(0, NAMED).map(({ image, component }) => `${image} (component ${component})`);
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const archives = [...new Set(missing.map(({ archive }) => archive))].join(', ');
  return new SolpackError(
    'image-missing',
    archives,
    `images are used but not in the archive: ${named.join(', ')}${more}`,
    {
      hint: 'name them in the definition and pack it again, or continue without them by --allow-missing-images',
    },
  );
}
