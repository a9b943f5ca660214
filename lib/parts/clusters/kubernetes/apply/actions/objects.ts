import { type FieldDifference, fieldDifferences } from '../../../../../../formats/manifest/differences.ts';
import { groupKindOf } from '../../../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../../../formats/manifest/object.ts';
import type { ForeseenAction } from '../../../../../kernel/plan/index.ts';
import type { PlannedObject } from '../../desired/index.ts';
import { type LiveObject, type ObjectName, slashed } from '../../server/index.ts';
import type { DryRunResult, Preflight } from '../preflight.ts';
import { restartsOf } from './restarts.ts';

/** Fields that the server writes with each change, whatever changes. */
const bookkeeping = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'uid'];

/** Where kubectl keeps what was applied, which may be a Secret. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns what an apply will do to an object; undefined where it stays as it is. */
export function actionOnObject(
  planned: PlannedObject,
  tried: Preflight & { readonly untouched: ReadonlySet<string> },
): ForeseenAction | undefined {
  const { key } = planned;
  if (!tried.changing.has(key)) return undefined;
  const found = tried.findings.get(key);
  const about = aboutObject(planned);
  if (tried.untouched.has(key)) return { ...about, action: 'change', reason: 'may change with its definition' };
  if (found?.live === undefined) return { ...about, action: 'create' };
  const { live } = found;
  const { uid } = live.metadata;
  if (live.metadata.deletionTimestamp !== undefined) {
    return { ...about, action: 'create', reason: 'is being deleted, and is created again' };
  }
  const { changes, hidden, isSure } = changesOf(planned, found, live);
  const restarts = restartsOf(live, changes, found.replaced === true);
  const more = { changes, hidden, uid, ...(restarts === undefined ? {} : { restarts }) };
  if (found.replaced) return { ...about, ...more, action: 'replace', reason: 'a field of it cannot change' };
  return { ...about, ...more, action: 'change', ...(isSure ? {} : { reason: 'could not be tried in advance' }) };
}

/** Names an object and where it comes from, as actions do. */
export function aboutObject({
  name,
  solution,
  component,
}: {
  readonly name: ObjectName;
  readonly solution: string;
  readonly component?: string;
}): Pick<ForeseenAction, 'subject' | 'solution' | 'component' | 'changes'> {
  return { subject: slashed(name), solution, component, changes: [] };
}

function changesOf(
  { object }: PlannedObject,
  { tried }: DryRunResult,
  live: LiveObject,
): Pick<ForeseenAction, 'changes' | 'hidden'> & { readonly isSure: boolean } {
  const differences =
    tried === undefined
      ? // What is not stated stays as it is.
        fieldDifferences(visible(live), visible(object)).filter((one) => 'to' in one)
      : fieldDifferences(visible(live), visible(tried));
  const secret = differences.filter((one) => isSecret(object, one));
  const changes = differences.map((one) => (isSecret(object, one) ? { path: one.path } : one));
  const owners = tried !== undefined && changes.length === 0 ? [{ path: 'metadata.managedFields' }] : [];
  return {
    changes: [...changes, ...owners],
    hidden: secret.length === 0 ? undefined : secret,
    isSure: tried !== undefined,
  };
}

function visible({ metadata, ...rest }: KubernetesObject): unknown {
  const kept = Object.entries(metadata).filter(([field]) => !bookkeeping.includes(field));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function isSecret(object: KubernetesObject, { path, from, to }: FieldDifference): boolean {
  if (groupKindOf(object) === 'Secret') return !path.startsWith('metadata.labels');
  const values = [from, to].filter((value) => typeof value === 'object' && value !== null);
  return path.includes(LAST_APPLIED) || values.some((value) => LAST_APPLIED in (value as object));
}
