import { resolve } from 'node:path';
import { SolpackError } from '../../kernel/events/index.ts';
import type { ImageSourceContext } from './kind.ts';

/** The part of a specification after the transport, for transports that name a file or folder. */
export interface Location {
  /** Absolute path. */
  readonly path: string;
  /** The name of the image in it; '' where none is given. */
  readonly reference: string;
}

/**
 * Splits `path[:reference]`. The path ends at the first colon that is not that of a Windows drive, and is relative to
 * `context.folder`. Throws `source-invalid` where there is no path. Follows containers-transports(5).
 */
export function splitLocation(transport: string, location: string, context: ImageSourceContext): Location {
  const drive = /^[A-Za-z]:[\\/]/.test(location) ? 2 : 0;
  const colon = location.indexOf(':', drive);
  const path = colon < 0 ? location : location.slice(0, colon);
  if (path === '') {
    throw new SolpackError('source-invalid', `${transport}:${location}`, 'no path follows the transport', {
      hint: `write ${transport}:PATH or ${transport}:PATH:REFERENCE`,
    });
  }
  return { path: resolve(context.folder, path), reference: colon < 0 ? '' : location.slice(colon + 1) };
}
