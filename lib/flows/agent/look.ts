import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import type {
  ClusterTarget,
  ConfigurationStatus,
  FollowedDocument,
  FollowedSource,
  Repair,
} from '../../parts/clusters/index.ts';
import { configurationOf } from '../../shared/solutions/sets/index.ts';
import { judgedPlan } from './approval.ts';
import { bringDocument, heal, isSettled, isToRecord, refusedBefore, type SettledDocument } from './bring.ts';
import { type AgentFinding, reasonOfCode, summaryOf } from './conditions.ts';
import type { AgentCourse } from './course.ts';
import type { SeenSolutions } from './notes.ts';

/**
 * Looks at what is followed and at what is there, and does what is to be done: installs the one, or puts back the
 * other. Returns whether that went well; what did not is reported in the cluster.
 */
export async function look(document: FollowedDocument, course: AgentCourse, flow: Flow): Promise<boolean> {
  const { request, notes, vitals } = course;
  const name = await nameOf(document, course);
  if (name === undefined) return true;
  return lend(await request.target(), async (target) => {
    try {
      const { isNew, proposal } = await requireInstalled(document, name, target, course, flow);
      course.watch(name, isNew);
      const { status, repair } = await heal(name, target, request, flow);
      if (repair !== undefined) await tellRepair(document, repair, course, name);
      const finding = proposal ?? findingFor(status, course.settled);
      vitals.isReady = finding.state === 'ready';
      await notes.status(document, finding, seenIn(status));
      return true;
    } catch (error) {
      flow.signal.throwIfAborted();
      if (!(error instanceof SolpackError)) throw error;
      vitals.isReady = false;
      vitals.failures += 1;
      await tellFailure(document, name, error, { target, course, flow });
      return false;
    }
  });
}

/** Names a source as messages do. */
export function sourceWords(source: FollowedSource): string {
  if (source.kind === 'custom-resource') return `SolutionsConfiguration ${source.name}`;
  return `ConfigMap ${source.namespace}/${source.name}`;
}

/** Returns the name of the configuration; undefined where it is none, which is reported, and nothing else is done. */
async function nameOf(
  document: FollowedDocument,
  { request, notes, vitals }: AgentCourse,
): Promise<string | undefined> {
  try {
    return (await configurationOf(sourceWords(request.source), document.bytes)).name;
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    vitals.isReady = false;
    const message = `${error.message}; nothing changes until it is corrected`;
    await notes.status(document, { state: 'degraded', reason: reasonOfCode(error.code), message });
    await notes.news(document, { type: 'Warning', reason: reasonOfCode(error.code), action: 'Read', note: message });
    return undefined;
  }
}

/** Installs what a document says, unless that is there. */
async function requireInstalled(
  document: FollowedDocument,
  name: string,
  target: ClusterTarget,
  course: AgentCourse,
  flow: Flow,
): Promise<{ readonly isNew: boolean; readonly proposal?: AgentFinding }> {
  const { request, notes, vitals } = course;
  const generations = await target.generations(name, flow);
  course.settled ??= refusedBefore(document, generations);
  const [newest] = generations;
  const isThere = isSettled(document, newest, course.settled);
  if (isThere && !(await isToRecord(newest, request))) {
    course.proposed = undefined;
    course.inherits = false;
    return { isNew: false };
  }
  if (request.plan !== undefined) await healFirst(document, name, target, course, flow);
  const verdict = request.plan === undefined ? undefined : await judgedPlan(document, name, course, flow);
  if (verdict !== undefined && verdict.approved === undefined) return { isNew: false, proposal: verdict.finding };
  const message = `installs configuration ${name}`;
  // The plan stays in the status: another leader continues with it, and asks nobody again.
  await notes.status(document, { state: 'progressing', reason: 'Installing', message, plan: verdict?.finding.plan });
  await notes.news(document, { type: 'Normal', reason: 'Installing', action: 'Install', note: message });
  const { digest } = document;
  try {
    await bringDocument(document, name, request, flow, verdict?.approved);
    vitals.installs += 1;
    course.proposed = undefined;
    const generation = await newestOf(name, target, flow);
    // What was approved may be the first of several installs: the generation says whether the last one is done.
    if (verdict === undefined) course.settled = { digest, generation, refusal: undefined };
    const note = `configuration ${name} is installed, as generation ${generation}`;
    await notes.news(document, { type: 'Normal', reason: 'Installed', action: 'Install', note });
  } catch (error) {
    if (!(error instanceof SolpackError)) throw error;
    if (error.code === 'plan-outdated' && verdict !== undefined)
      return proposeAnew(document, name, error, course, flow);
    if (error.code !== 'rolled-back') throw error;
    vitals.failures += 1;
    // The same again would fail again, and stop for a moment what runs: another configuration has to come.
    course.settled = { digest, generation: await newestOf(name, target, flow), refusal: error.summary };
    await notes.news(document, { type: 'Warning', reason: 'RolledBack', action: 'Install', note: error.summary });
  }
  return { isNew: true };
}

/**
 * Puts back what has drifted before a plan is made: the plan is about what is to be new, and a field that somebody has
 * changed would refuse it. What cannot be put back is reported by the look after it, and may be what the plan mends.
 */
async function healFirst(
  document: FollowedDocument,
  name: string,
  target: ClusterTarget,
  course: AgentCourse,
  flow: Flow,
): Promise<void> {
  try {
    const { repair } = await heal(name, target, course.request, flow);
    if (repair !== undefined) await tellRepair(document, repair, course, name);
  } catch (error) {
    flow.signal.throwIfAborted();
    if (!(error instanceof SolpackError)) throw error;
  }
}

/** Makes another plan in the place of one that was approved, and that would do something else by now. */
async function proposeAnew(
  document: FollowedDocument,
  name: string,
  { message }: SolpackError,
  course: AgentCourse,
  flow: Flow,
): Promise<{ readonly isNew: boolean; readonly proposal?: AgentFinding }> {
  const note = `the approved plan is outdated, and was not carried out: ${message}`;
  await course.notes.news(document, { type: 'Warning', reason: 'PlanOutdated', action: 'Plan', note });
  course.proposed = undefined;
  const { finding } = await judgedPlan(document, name, course, flow);
  return { isNew: true, proposal: finding };
}

async function newestOf(name: string, target: ClusterTarget, flow: Flow): Promise<number> {
  return (await target.generations(name, flow))[0]?.number ?? 0;
}

function findingFor(status: ConfigurationStatus | undefined, settled: SettledDocument | undefined): AgentFinding {
  if (settled?.refusal !== undefined) return { state: 'degraded', reason: 'RolledBack', message: settled.refusal };
  return summaryOf(status?.solutions ?? []);
}

function seenIn(status: ConfigurationStatus | undefined): SeenSolutions {
  const { number = 0, resolution } = status?.generation ?? {};
  return { generation: number, resolution, solutions: status?.solutions ?? [] };
}

async function tellRepair(
  document: FollowedDocument,
  repair: Repair,
  course: AgentCourse,
  name: string,
): Promise<void> {
  const { notes, vitals, watch } = course;
  const done = repair.repaired.filter(({ action }) => action !== 'unchanged');
  if (done.length === 0) return;
  vitals.repaired += done.length;
  const words = done.map(({ object, action, overrode }) => {
    const managers = overrode.map(({ manager }) => manager).join(', ');
    return `${action} ${object}${managers === '' ? '' : ` (changed by ${managers})`}`;
  });
  await notes.news(document, { type: 'Normal', reason: 'Repaired', action: 'Repair', note: words.join('; ') });
  // A kind whose definition was gone can be watched again.
  watch(name, true);
}

async function tellFailure(
  document: FollowedDocument,
  name: string,
  error: SolpackError,
  {
    target,
    course: { notes },
    flow,
  }: { readonly target: ClusterTarget; readonly course: AgentCourse; readonly flow: Flow },
): Promise<void> {
  const message = error.hint === undefined ? error.summary : `${error.summary}; ${error.hint}`;
  flow.onEvent({ type: 'notice', subject: error.subject, message: `${error.message} [${error.code}]; retrying` });
  const status = await target.status(name, flow).catch(() => undefined);
  flow.signal.throwIfAborted();
  const reason = reasonOfCode(error.code);
  await notes.status(document, { state: 'degraded', reason, message }, status && seenIn(status));
  await notes.news(document, { type: 'Warning', reason, action: 'Install', note: message });
}
