import type { ComponentState, OnEvent } from '../../../../../kernel/events/index.ts';

/** Whose components are reported. */
export interface SolutionComponents {
  readonly name: string;
  readonly version: string;
  readonly components: readonly { readonly name: string; readonly after: readonly string[] }[];
}

/** Returns how far the components of a Solution have come. */
export interface ComponentCourse {
  /** Reports one component; the same again is reported once. */
  tell(component: string, state: ComponentState, reason?: string): void;
  /** Says that all of a component is applied, and its hooks have run: from then on it may be ready. */
  applied(component: string): void;
  /** Reports which applied components are ready, by what `isOpen` says of those that are waited for. */
  ready(isOpen: (component: string) => boolean): void;
}

/** Tells that nothing has been done yet for the components of Solutions. */
export function tellPending(solutions: readonly SolutionComponents[], onEvent: OnEvent): void {
  for (const { name: solution, version, components } of solutions) {
    for (const { name: component, after } of components) {
      const waits = after.length === 0 ? {} : { after };
      onEvent({ type: 'component', solution, version, component, state: 'pending', ...waits });
    }
  }
}

/** Makes the course of a Solution. */
export function componentCourse(
  { name: solution, version }: Pick<SolutionComponents, 'name' | 'version'>,
  onEvent: OnEvent,
): ComponentCourse {
  const reported = new Map<string, string>();
  const applied = new Set<string>();
  const tell: ComponentCourse['tell'] = (component, state, reason) => {
    const words = `${state} ${reason ?? ''}`;
    if (reported.get(component) === words) return;
    reported.set(component, words);
    onEvent({ type: 'component', solution, version, component, state, ...(reason === undefined ? {} : { reason }) });
  };
  return {
    tell,
    applied: (component) => {
      applied.add(component);
      tell(component, 'waiting');
    },
    ready: (isOpen) => {
      for (const component of applied) if (!isOpen(component)) tell(component, 'ready');
    },
  };
}
