import type { ApplyPlan, PlannedHook } from '../../desired/index.ts';
import type { Inventories } from '../../memory/index.ts';
import { type Course, courseOf, hooksOf } from './course.ts';
import type { HookRecords } from './records.ts';

/** What happens to components that have hooks: by Solution, then by component. */
export type Courses = ReadonlyMap<string, ReadonlyMap<string, Course>>;

/** Decides what happens to each component of a plan that has hooks, other than those for tests. */
export function coursesOf(
  { solutions, configuration, isReturn }: ApplyPlan,
  inventories: Inventories,
  records: HookRecords,
): Courses {
  return new Map(
    solutions.map((solution) => {
      const courses = solution.components
        .filter(({ hooks }) => hooks.some(({ hook }) => hook.events.some((event) => event !== 'test')))
        .map((component): [string, Course] => {
          const last = records.get(solution.name)?.get(component.name);
          return [
            component.name,
            courseOf(component, solution, { configuration, isReturn }, inventories.get(solution.set), last),
          ];
        });
      return [solution.name, new Map(courses)];
    }),
  );
}

/** Lists the hooks that are yet to run, of all components. */
export function hooksToRun(courses: Courses): PlannedHook[] {
  return [...courses.values()].flatMap((own) => [...own.values()].flatMap(hooksOf));
}
