import { join } from 'node:path';
import type { ComponentMetadata } from '../../formats/solution/metadata.ts';
import type { Flow } from '../flow.ts';
import type { Renderable } from './renderable.ts';
import type { Unpacked } from './together.ts';

/** Writes the components of a Solution below `folder`, each into a folder of its name. Throws what unpacking throws. */
export async function unpackComponents(
  solution: Renderable,
  folder: string,
  flow: Flow,
  wanted: (component: ComponentMetadata) => boolean = () => true,
): Promise<Unpacked[]> {
  const unpacked: Unpacked[] = [];
  for (const component of solution.metadata.components.filter(wanted)) {
    const own = join(folder, component.name);
    await solution.unpack(component.name, own, flow);
    unpacked.push({ solution, component, folder: own, parsed: new Map() });
  }
  return unpacked;
}
