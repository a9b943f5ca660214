import type { componentKinds } from './component-kinds.ts';

/**
 * Where the files of a component lie in an archive; ends with a slash. A folder of components lies where people look
 * for one.
 */
export function componentFolder({
  name,
  kind,
}: {
  readonly name: string;
  readonly kind: (typeof componentKinds)[number];
}): string {
  return kind === 'components.d' ? 'components.d/' : `components/${name}/`;
}
