import type { Flow } from '../../../kernel/events/index.ts';
import type { DrawnValue } from './drawn-values.ts';
import type { Examination } from './examine.ts';

/** An object with values that are drawn at random, or by the clock, when its component is rendered. */
export interface DrawnObject {
  readonly component: string;
  /** `Kind/namespace/name`. */
  readonly object: string;
  /** Where its drawn values are; empty where the object itself is. */
  readonly paths: readonly string[];
}

/** Lists the objects that are drawn: of what was rendered, and of what is known of the rest. */
export function drawnObjects({ versions, proven }: Examination): DrawnObject[] {
  const known = [...proven].flatMap(([component, { drawn }]) =>
    drawn.map(([object, path]): DrawnValue => [component, object, path]),
  );
  const values = [...versions.flatMap(({ drawn }) => drawn), ...known];
  const objects = Map.groupBy(values, ([component, object]) => JSON.stringify([component, object]));
  return [...objects.values()].map((own) => {
    const [[component, object]] = own as [DrawnValue];
    return { component, object, paths: [...new Set(own.map(([, , path]) => path))].filter((path) => path !== '') };
  });
}

/** Reports the objects that are drawn, in one notice for each component; some `keep` what they drew. */
export function tellDrawn(drawn: readonly DrawnObject[], keep: (component: string) => boolean, flow: Flow): void {
  for (const [subject, own] of Map.groupBy(drawn, ({ component }) => component)) {
    const objects = own.map(({ object, paths }) => (paths.length === 0 ? object : `${object} (${paths.join(', ')})`));
    const until = keep(subject)
      ? 'which each cluster keeps as they were first rendered'
      : 'which each cluster keeps until an upgrade has another chart or other values (keep-drawn = true keeps them then too)';
    flow.onEvent({
      type: 'notice',
      subject,
      message: `draws random values when it is rendered, ${until}: ${objects.join('; ')}`,
    });
  }
}
