import { gunzipSync, gzipSync } from 'node:zlib';
import { type Digest, isDigest } from '../../../formats/digest.ts';
import { exactJson } from '../../../formats/exact-json.ts';
import { isRecord } from '../../../formats/record.ts';
import { type InstallPlan, parseInstallPlan } from '../../../formats/solution/install-plan.ts';
import type { PlanDecision } from '../../parts/clusters/index.ts';

/** The most characters of a plan in a status: with all else, an object has to stay below what etcd takes (1.5 MiB). */
const MOST = 700_000;
/** The most bytes of a plan that is read from a status. */
const LONGEST = 64 * 1024 * 1024;
/** How many changes a status lists where anybody can read them; the document has all. */
const LISTED = 200;

/** What becomes of a plan of an agent: nobody has decided, it is carried out, or it is not. */
export type PlanState = 'Waiting' | 'Approved' | 'Denied';

/** A plan as an agent puts it into the status of what it follows. */
export interface AgentPlan {
  /** The seal of the plan: what is approved, and nothing else is carried out. */
  readonly seal: string;
  readonly state: PlanState;
  /** The digest of the configuration that it was made from. */
  readonly configuration: string;
  readonly solutions?: InstallPlan['solutions'];
  readonly removals?: InstallPlan['removals'];
  readonly rights?: InstallPlan['rights'];
  /** The first things that it would do. */
  readonly changes: readonly { readonly action: string; readonly subject: string }[];
  /** How many more there are; left out where there are none. */
  readonly more?: number;
  /** All of it, as `install --plan --json` prints it: base64 of gzip. */
  readonly document: string;
}

/** Puts a plan into the form of a status; undefined where it is too large for one. */
export function shownPlan(
  plan: InstallPlan,
  configuration: Digest,
  decision: PlanDecision | undefined,
): AgentPlan | undefined {
  const document = gzipSync(exactJson(plan), { level: 9 }).toString('base64');
  const changes = plan.steps
    .filter(({ action }) => action !== 'none')
    .map(({ action, subject }) => ({ action, subject }));
  const { seal, solutions, removals, rights } = plan;
  const shown: AgentPlan = {
    seal,
    state: planState(seal, decision),
    configuration,
    ...(solutions === undefined ? {} : { solutions }),
    ...(removals === undefined ? {} : { removals }),
    ...(rights === undefined ? {} : { rights }),
    changes: changes.slice(0, LISTED),
    ...(changes.length > LISTED ? { more: changes.length - LISTED } : {}),
    document,
  };
  return exactJson(shown).length > MOST ? undefined : shown;
}

/** Returns what was decided about the plan of a seal. A decision about another plan says nothing. */
export function planState(seal: string, decision: PlanDecision | undefined): PlanState {
  return decision?.seal === seal ? decision.decision : 'Waiting';
}

/** Returns the plan that a status has, and the digest of its configuration; undefined where it has none of use. */
export function planInStatus(
  status: unknown,
): { readonly plan: InstallPlan; readonly configuration: Digest } | undefined {
  const shown = isRecord(status) ? status['plan'] : undefined;
  if (!isRecord(shown) || typeof shown['document'] !== 'string') return undefined;
  try {
    const configuration = shown['configuration'];
    if (!isDigest(configuration)) return undefined;
    const bytes = gunzipSync(Buffer.from(shown['document'], 'base64'), { maxOutputLength: LONGEST });
    return { plan: parseInstallPlan(bytes), configuration };
  } catch {
    return undefined;
  }
}
