import type { PlannedRemoval } from './install-plan.ts';

/** Says what will be removed for good, or reverted: as a plan lists it, or as it would be if somebody agreed to it. */
export function removalWords({ solution, kind, version, to, objects }: PlannedRemoval, isPlanned: boolean): string {
  const [is, goes] = isPlanned ? ['is', 'goes'] : ['would be', 'would go'];
  const named = objects.join(', ');
  const data = named === '' ? '' : `, with ${named} and the data in it`;
  if (kind === 'solution') return `${solution} ${version} ${is} removed${data}`;
  if (kind === 'data') return `${named} of ${solution} ${is} removed, with the data in it`;
  return `${solution} ${goes} down ${version === undefined ? '' : `from ${version} `}to ${to}, an older release`;
}
