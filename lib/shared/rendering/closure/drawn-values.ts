import { drawnPlaces, type FieldStep } from '../../../../formats/manifest/drawn.ts';
import type { Event, Flow } from '../../../kernel/events/index.ts';
import { asComponent, type Renderings, renderTogether, type Surroundings } from '../together.ts';
import type { Unpacked } from '../unpacked.ts';
import { objectName, type PlacedStatement, placeStatements } from './statements.ts';

/** A value that is drawn: component, object, and where in it. */
export type DrawnValue = readonly [component: string, object: string, path: string];

/**
 * Finds the values that components draw, by rendering those once more whose text says that they may. `objects` is what
 * the first rendering in the same surroundings made of them; one that was refused is passed over.
 */
export async function findDrawn(
  unpacked: readonly Unpacked[],
  objects: readonly Parameters<typeof placeStatements>[0][number]['objects'][],
  surroundings: Surroundings & { readonly renderings: Renderings },
  flow: Flow,
): Promise<DrawnValue[]> {
  const { renderings } = surroundings;
  const drawing: { readonly one: Unpacked; readonly at: number }[] = [];
  for (const [at, one] of unpacked.entries()) {
    if (objects[at]!.length === 0) continue;
    const { draws } = await renderings.traits(one.component.kind, asComponent(one, surroundings), flow);
    if (draws) drawing.push({ one, at });
  }
  if (drawing.length === 0) return [];
  const onEvent = (event: Event): void => void (event.type === 'notice' || flow.onEvent(event));
  const again = await renderTogether(
    drawing.map(({ one }) => one),
    surroundings,
    { ...flow, onEvent },
  );
  return drawing.flatMap(({ one: { component }, at }, index) => {
    const [first, second] = [objects[at]!, again.objects[index]!].map((stated) => stated.map(({ object }) => object));
    return drawnPlaces(first!, second!).map(({ object, path }): DrawnValue => {
      const [statement] = placeStatements([{ component, objects: [{ object, source: undefined }] }]);
      const isName = path.join('.') === 'metadata.name';
      return [component.name, isName ? unnamed(statement!) : objectName(statement!), fieldWords(path)];
    });
  });
}

/**
 * Names an object whose name is drawn: with `*` for that, so that the same chart is always described in the same words.
 */
export function unnamed(statement: Pick<PlacedStatement, 'object' | 'namespace'>): string {
  const name = objectName(statement);
  return `${name.slice(0, name.lastIndexOf('/') + 1)}*`;
}

/** Writes a path as kubectl does: `spec.containers[0].image`. */
function fieldWords(path: readonly FieldStep[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : /^[\w-]+$/.test(step) ? `.${step}` : `['${step}']`))
    .join('')
    .replace(/^\./, '');
}
