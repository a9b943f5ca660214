import { join } from 'node:path';
import type { ComponentMetadata } from '../../../formats/solution/metadata.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { needsFolder, writeTemporary } from '../../parts/components/index.ts';
import type { Renderable } from './renderable.ts';
import type { Unpacked } from './unpacked.ts';

/**
 * Writes the components of a Solution below `folder`, which is a temporary one: each that has to be in a folder into
 * one of its name. Throws what reading their files throws, `output-unwritable` and `disk-full`.
 */
export async function unpackComponents(
  solution: Renderable,
  folder: string,
  flow: Flow,
  wanted: (component: ComponentMetadata) => boolean = () => true,
): Promise<Unpacked[]> {
  const unpacked: Unpacked[] = [];
  for (const component of solution.metadata.components.filter(wanted)) {
    const own = join(folder, component.name);
    const files = solution.files(component.name, flow);
    if (needsFolder(component.kind)) await writeTemporary(files, own, flow.signal);
    unpacked.push({ solution, component, folder: own, files, parsed: new Map() });
  }
  return unpacked;
}
