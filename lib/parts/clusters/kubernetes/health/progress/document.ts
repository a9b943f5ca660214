import { utf8 } from '../../../../../../formats/bytes.ts';
import { checked, parseJson } from '../../../../../../formats/json.ts';
import { z } from '../../../../../../formats/schema.ts';
import { type ComponentState, type Event, SolpackError } from '../../../../../kernel/events/index.ts';

/** The state of a run. `interrupted`: it ended early, or was killed. */
export type ProgressState = 'running' | 'ready' | 'failed' | 'interrupted';

/** The progress of a run with a component. */
export interface ComponentProgress {
  readonly solution: string;
  readonly version: string;
  readonly component: string;
  readonly state: ComponentState;
  /** What it waits for, or why it failed. */
  readonly reason?: string | undefined;
  /** Since when it is in this state, as RFC 3339 has it. */
  readonly since: string;
}

/** What a run reports about itself in a ConfigMap. */
export interface RunProgress {
  readonly state: ProgressState;
  /** Since when it is in this state. */
  readonly since: string;
  /** When it was last heard of. */
  readonly renewed: string;
  /** The run: a Pod, or a process of a host. */
  readonly runner: string;
  /** Runs that ended before they were ready, and this one. */
  readonly attempt: number;
  /** What it does, or did last, such as `verify guestbook-1.1.0.iso`. */
  readonly step?: string | undefined;
  /** The code of the error that it ended with. */
  readonly code?: string | undefined;
  /** Why it ended, or what the run before ended by. */
  readonly reason?: string | undefined;
  readonly components: readonly ComponentProgress[];
}

const component = z.object({
  solution: z.string(),
  version: z.string(),
  component: z.string(),
  state: z.enum(['pending', 'applying', 'waiting', 'ready', 'failed']),
  reason: z.string().optional(),
  since: z.string(),
});

const schema = z.object({
  state: z.enum(['running', 'ready', 'failed', 'interrupted']),
  since: z.string(),
  renewed: z.string(),
  runner: z.string(),
  attempt: z.number().int().positive(),
  step: z.string().optional(),
  code: z.string().optional(),
  reason: z.string().optional(),
  components: z.array(component),
});

/** Reads what a run has reported; undefined where nobody has, or where it is not of this form. */
export function storedProgress(text: unknown): RunProgress | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return checked(parseJson(utf8(text), 'json-invalid', 'progress'), schema, 'json-invalid', 'progress');
  } catch {
    return undefined;
  }
}

/** Begins the progress of a run after that of an earlier one, whose end nobody may have reported. */
export function begun(runner: string, before: RunProgress | undefined, now: string): RunProgress {
  const attempt = before === undefined || before.state === 'ready' ? 1 : before.attempt + 1;
  const reason = before !== undefined && attempt > 1 ? endOf(before) : undefined;
  return { state: 'running', since: now, renewed: now, runner, attempt, reason, components: [] };
}

/** Returns how an earlier run ended. */
function endOf({ state, runner, code, reason, step }: RunProgress): string {
  if (state === 'running') return `${runner} ended without a report${step === undefined ? '' : ` during: ${step}`}`;
  return `${runner} ${state === 'failed' ? 'failed' : 'was interrupted'}: ${reason ?? 'it did not say why'}${code === undefined ? '' : ` [${code}]`}`;
}

/** Returns the progress after an event. */
export function after(progress: RunProgress, event: Event, now: string): RunProgress {
  if (event.type === 'step') {
    const step = event.subject === undefined ? event.step : `${event.step} ${event.subject}`;
    return { ...progress, step };
  }
  if (event.type !== 'component') return progress;
  const { type: _, after: __, reason, ...known } = event;
  const shortened = reason === undefined ? known : { ...known, reason: short(reason) };
  const same = (one: ComponentProgress): boolean =>
    one.solution === shortened.solution && one.component === shortened.component;
  const before = progress.components.find(same);
  const next = { ...shortened, since: before?.state === shortened.state ? before.since : now };
  if (before === undefined) return { ...progress, components: [...progress.components, next] };
  return { ...progress, components: progress.components.map((one) => (one === before ? next : one)) };
}

/** Characters of a reason that are kept: a ConfigMap has no more than a megabyte. */
const LONGEST = 1000;

function short(reason: string): string {
  return reason.length > LONGEST ? `${reason.slice(0, LONGEST)}…` : reason;
}

/** How a run ended. */
export interface ProgressEnd {
  readonly state: Exclude<ProgressState, 'running'>;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

/** Returns how a run ended that threw `error`. `ended` says that somebody ended it. */
export function endBy(error: unknown, ended: boolean): ProgressEnd {
  if (error instanceof SolpackError) {
    const hint = error.hint === undefined ? '' : `; ${error.hint}`;
    return { state: 'failed', code: error.code, reason: `${error.summary}${hint}` };
  }
  if (ended) return { state: 'interrupted', reason: 'it was interrupted' };
  return { state: 'failed', code: 'bug', reason: error instanceof Error ? error.message : String(error) };
}

/** Returns the progress of a run that has ended. What was being applied then is not ready. */
export function ended(progress: RunProgress, { state, code, ...end }: ProgressEnd, now: string): RunProgress {
  const reason = end.reason === undefined ? undefined : short(end.reason);
  const components = progress.components.map((one): ComponentProgress => {
    if (one.state !== 'applying' || state === 'ready') return one;
    return { ...one, state: 'failed', reason: reason ?? 'the run has ended', since: now };
  });
  return { ...progress, state, code, reason, since: now, renewed: now, components };
}
