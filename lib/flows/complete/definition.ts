import { parseDefinition } from '../../../formats/solution/definition.ts';
import { readFile } from '../../kernel/files/index.ts';
import type { KnownName } from './name.ts';

/** The images or the components of a definition. */
export async function* defined(path: string, of: 'images' | 'components'): AsyncGenerator<KnownName> {
  const { images, components } = parseDefinition(await readFile(path));
  if (of === 'images') yield* images.map(({ reference }) => ({ name: reference, about: '' }));
  else yield* components.map(({ name, kind }) => ({ name, about: kind }));
}
