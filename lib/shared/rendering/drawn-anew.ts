import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { DrawnPlace } from '../../../formats/manifest/drawn.ts';
import { podReaders } from '../../../formats/manifest/pod-readers.ts';
import type { KeptDraw, PlannedDraw } from '../../../formats/solution/install-plan.ts';
import type { Flow } from '../../kernel/events/index.ts';

/** An object of which a component draws values anew, though it may be wanted as it was. */
export type DrawnAnew = Omit<PlannedDraw, 'solution' | 'component'>;

/** Puts the places where values are drawn anew together by object, with the objects whose Pods read them. */
export function drawnAnew(places: readonly DrawnPlace[], objects: readonly KubernetesObject[]): DrawnAnew[] {
  return [...Map.groupBy(places, ({ object }) => object)].map(([object, own]): DrawnAnew => {
    const readers = podReaders(object, objects).map(slashed);
    return { object: slashed(object), fields: own.map(({ path }) => path.join('.')), readers };
  });
}

/** An object in which drawn values stay. */
export type DrawnKept = Omit<KeptDraw, 'solution' | 'component'>;

/** Puts the places where drawn values stay together by object. */
export function keptTogether(places: readonly DrawnPlace[]): DrawnKept[] {
  return [...Map.groupBy(places, ({ object }) => object)].map(([object, own]): DrawnKept => {
    return { object: slashed(object), fields: own.map(({ path }) => path.join('.')) };
  });
}

/** Reports the drawn values of a component that stay. */
export function tellKept(component: string, kept: readonly DrawnKept[], flow: Flow): void {
  if (kept.length === 0) return;
  const words = kept.map(({ object, fields }) => `${object} (${fields.join(', ')})`);
  flow.onEvent({ type: 'notice', subject: component, message: `keeps drawn values: ${words.join('; ')}` });
}

/** Reports what a component draws anew; `isWanted` says that it was to keep it. */
export function tellDrawnAnew(component: string, drawn: readonly DrawnAnew[], isWanted: boolean, flow: Flow): void {
  if (drawn.length === 0) return;
  const words = drawn.map(({ object, fields, readers }) => {
    const read = readers.length === 0 ? '' : `, which Pods of ${readers.join(', ')} read`;
    return `${object} (${fields.join(', ')})${read}`;
  });
  const why = isWanted
    ? 'new certificates may not match the earlier ones'
    : 'its chart or values have changed; keep-drawn = true of the component keeps the present values, and so does keepDrawn of the site';
  flow.onEvent({ type: 'notice', subject: component, message: `draws new random values: ${words.join('; ')}; ${why}` });
}

function slashed({ kind, metadata: { name, namespace } }: KubernetesObject): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join('/');
}
