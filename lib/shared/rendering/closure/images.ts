import type { UsedImage } from '../used-images.ts';
import type { Brought } from './brought.ts';
import type { Examination } from './examine.ts';
import { objectName } from './statements.ts';

/** Lists the images that the objects of an examination name, of what was rendered and of what is proven. */
export function examinedImages({ versions, proven }: Examination, brought: Brought, archive: string): UsedImage[] {
  const { isHeld, isExternal } = brought;
  const known = new Set<string>();
  const used: UsedImage[] = [];
  const add = (image: Pick<UsedImage, 'reference' | 'certainty' | 'component' | 'object' | 'path'>): void => {
    const key = JSON.stringify(image);
    if (known.has(key)) return;
    known.add(key);
    const [held, external] = [isHeld(image.reference), isExternal(image.reference)];
    used.push({ ...image, archive, pulled: true, held, external, target: undefined, rewritten: false });
  };
  for (const statement of versions.flatMap((version) => version.statements)) {
    const place = { component: statement.component, object: objectName(statement) };
    const stated = brought.references(statement);
    for (const { reference, certainty, path } of stated) add({ reference, certainty, ...place, path });
  }
  for (const [component, { references }] of proven) {
    for (const [reference, object, path, certainty] of references)
      add({ reference, certainty, component, object, path });
  }
  return used;
}
