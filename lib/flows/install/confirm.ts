import { isDeepStrictEqual } from 'node:util';
import { exactJson } from '../../../formats/exact-json.ts';
import { type InstallPlan, type PlannedAction, parseInstallPlan } from '../../../formats/solution/install-plan.ts';
import { refused, SolpackError } from '../../kernel/events/index.ts';
import { readFile } from '../../kernel/files/index.ts';

/** How many differences an error names. */
const NAMED = 3;

/** Reads a plan that was kept in a file. Throws `plan-invalid`, and what reading throws. */
export async function readPlan(path: string): Promise<InstallPlan> {
  const bytes = await readFile(path);
  const hint = 'keep the output of "solpack install --plan --json" unchanged, and confirm that';
  return refused('plan-invalid', path, () => parseInstallPlan(bytes), hint);
}

/**
 * Makes sure that an install does now what the plan in a file says: what it shows, because that is what somebody has
 * read, and what its seal stands for. Throws `plan-outdated` with what is different.
 */
export function requireSamePlan(path: string, confirmed: InstallPlan, now: InstallPlan): void {
  const [before, after] = [asData(confirmed), asData(now)];
  if (confirmed.seal === now.seal && isDeepStrictEqual(shownOf(before), shownOf(after))) return;
  const all = differencesOf(before, after);
  const named = all.slice(0, NAMED).join('; ');
  const more = all.length > NAMED ? `; and ${all.length - NAMED} more` : '';
  const message =
    all.length === 0 ? 'the plan was edited after it was printed, or a secret has another value now' : named;
  throw new SolpackError('plan-outdated', path, `${message}${more}`, {
    hint: 'nothing was changed; create a new plan with "solpack install --plan --json", and confirm that',
  });
}

/** What a plan shows of what will be done. How much room is free may be another by now. */
function shownOf({ configuration, choices, variables, steps, bytes, unchanged, rights }: InstallPlan): unknown {
  return [configuration, choices, variables ?? [], steps, bytes, unchanged, rights ?? null];
}

/** As it is once it was printed and read. */
function asData(plan: InstallPlan): InstallPlan {
  return JSON.parse(exactJson(plan)) as InstallPlan;
}

function differencesOf(before: InstallPlan, now: InstallPlan): string[] {
  if (before.configuration !== now.configuration) {
    return [`it is for the configuration ${before.configuration}, not for ${now.configuration}`];
  }
  const choices = differing(before.choices, now.choices, ({ name }) => name).map(([one, other]) => {
    const [was, is] = [one?.version ?? 'none', other?.version ?? 'none'];
    const name = (one ?? other)!.name;
    return was === is
      ? `${name} ${is} is chosen for another reason`
      : `${name} was planned as ${was}, and is now ${is}`;
  });
  const variables = differing(before.variables ?? [], now.variables ?? [], ({ name }) => name).map(([one, other]) => {
    const [was, is] = [one?.value ?? 'none', other?.value ?? 'none'];
    return `plugins were planned to get ${(one ?? other)!.name}=${was}, and would get ${is}`;
  });
  const steps = differing(before.steps, now.steps, ({ kind, subject, event = '' }) => `${kind} ${subject} ${event}`);
  return [...choices, ...variables, ...steps.map(([one, other]) => stepWords(one, other))];
}

function stepWords(before: PlannedAction | undefined, now: PlannedAction | undefined): string {
  const { subject, kind } = (now ?? before)!;
  const [was, is] = [before?.action ?? 'none', now?.action ?? 'none'];
  if (was !== is) return `${subject}: ${was} was planned, and now it would be ${is}`;
  const [one = [], other = []] = [before?.changes, now?.changes];
  const [changes] = differing(one, other, ({ path }) => path);
  const field = changes?.[0] ?? changes?.[1];
  if (field !== undefined) return `${subject}: ${is} of ${field.path} is different`;
  return before?.uid === now?.uid ? `${subject}: an input of ${kind} is different` : `${subject}: was created again`;
}

/** Pairs what two lists have, by name, and returns the pairs that differ. */
function differing<T>(
  before: readonly T[],
  now: readonly T[],
  nameOf: (one: T) => string,
): (readonly [T | undefined, T | undefined])[] {
  const [old, fresh] = [byName(before, nameOf), byName(now, nameOf)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((name) => [old.get(name), fresh.get(name)] as const)
    .filter(([one, other]) => !isDeepStrictEqual(one, other));
}

function byName<T>(list: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [nameOf(one), one]));
}
