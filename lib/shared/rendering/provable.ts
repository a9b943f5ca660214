import type { ComponentMetadata, SolutionMetadata } from '../../../formats/solution/metadata.ts';

/** Whether `pack` can find out what a component becomes: what plugins print is known on the node alone. */
export function isRenderable({ kind, render }: ComponentMetadata): boolean {
  return kind !== 'plugin' && render !== 'install';
}

/** Whether rendering a component runs plugins: it is one, or a folder that has one. */
export function asksPlugins({ kind, render }: ComponentMetadata): boolean {
  return kind === 'plugin' || (kind === 'components.d' && render === 'install');
}

/** Lists the Kubernetes versions that a Solution is proved for; undefined is the one that Helm takes by itself. */
export function provableVersions({ closure }: SolutionMetadata): readonly (string | undefined)[] {
  return closure && closure.kubernetes.length > 0 ? closure.kubernetes : [undefined];
}
