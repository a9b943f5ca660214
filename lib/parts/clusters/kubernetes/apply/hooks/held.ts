import { foundationOf, type PlannedObject, type PlannedSolution } from '../../desired/index.ts';
import { type Discovery, definedKind } from '../../server/index.ts';
import type { Course } from './course.ts';
import { hooksFor } from './order.ts';

/** Returns the definitions that are there already, and that hooks of their component look at before they change. */
export function heldOf(
  { components }: PlannedSolution,
  isHeld: (component: string) => boolean,
  discovery: Discovery,
): ReadonlySet<PlannedObject> {
  const own = foundationOf(components.filter(({ name }) => isHeld(name)));
  return new Set(
    own.filter(({ object }) => {
      const [group = '', kind = ''] = definedKind(object)?.split('/') ?? [];
      return kind !== '' && discovery.preferred(group, kind) !== undefined;
    }),
  );
}

/** Decides whether what is there of a component has to stay as it is until hooks have run. */
export function holdsBack(course: Course | undefined): boolean {
  const event = course?.record.running?.event;
  if (course === undefined || (event !== 'upgrade' && event !== 'rollback')) return false;
  return hooksFor(`pre-${event}`, course.component.hooks).length > 0;
}
