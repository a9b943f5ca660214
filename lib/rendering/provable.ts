import type { ComponentMetadata } from '../../formats/solution/metadata.ts';

/** Whether `pack` can find out what a component becomes: what plugins print is known on the node alone. */
export function isRenderable({ kind, render }: ComponentMetadata): boolean {
  return kind !== 'plugin' && render !== 'install';
}
