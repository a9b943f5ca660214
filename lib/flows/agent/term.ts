import { setTimeout as sleep } from 'node:timers/promises';
import type { Flow } from '../../kernel/events/index.ts';
import type { FollowedDocument } from '../../parts/clusters/index.ts';
import { createBell } from './bell.ts';
import type { AgentCourse } from './course.ts';
import { look, sourceWords } from './look.ts';
import { teller } from './notes.ts';
import type { AgentRequest, AgentVitals } from './request.ts';

/** Milliseconds between a change and the look at it, because changes come in swarms; and from one look to the next. */
const CALM = 250;
const BETWEEN = 750;
/** Milliseconds from a failure to the next attempt: at first, and at most. */
const FIRST = 2_000;
const LONGEST = 300_000;

/**
 * Leads until the flow is aborted: installs what is followed whenever that changes, and puts back what drifts from it.
 */
export async function leadTerm(request: AgentRequest, vitals: AgentVitals, flow: Flow): Promise<never> {
  const broken = new AbortController();
  const own: Flow = { ...flow, signal: AbortSignal.any([flow.signal, broken.signal]) };
  const onBroken = (error: unknown): void => broken.abort(error);
  // The one is heard after a failure, when what stirs among the objects says nothing new; the other else.
  const [changed, stirred] = [createBell(), createBell()];
  let document: FollowedDocument | undefined;
  // The last one that was there, until it is informed that it is gone: one that goes before it is looked at is not
  // forgotten.
  let known: FollowedDocument | undefined;
  const follows = request.cluster.follow(request.source, own, (now) => {
    document = now;
    known = now ?? known;
    changed.ring();
    stirred.ring();
  });
  follows.catch(onBroken);
  const course: AgentCourse = {
    request,
    vitals,
    notes: teller(request, own),
    settled: undefined,
    proposed: undefined,
    inherits: true,
    decision: undefined,
    watch: watcher(request, own, stirred.ring, onBroken),
  };
  if (request.plan !== undefined) {
    const decides = request.cluster.followDecision(request.source.name, own, (decision) => {
      course.decision = decision;
      changed.ring();
      stirred.ring();
    });
    decides.catch(onBroken);
  }
  try {
    for (let pause = 0; ; ) {
      await (pause === 0 ? stirred.heard(request.every, own.signal) : changed.heard(pause, own.signal));
      await calm(CALM, own.signal);
      changed.silence();
      const now = document;
      if (now === undefined) {
        vitals.isReady = false;
        own.onEvent({ type: 'step', step: 'wait', subject: `${sourceWords(request.source)} is not there` });
        const gone = known;
        known = undefined;
        if (gone !== undefined) await tellGone(gone, course);
        pause = 0;
        continue;
      }
      if (await look(now, course, own)) pause = 0;
      else pause = document === now ? Math.min(Math.max(2 * pause, FIRST), LONGEST) : FIRST;
      await calm(BETWEEN, own.signal);
    }
  } finally {
    onBroken(new Error('the term has ended'));
  }
}

/** Reports one that is there no longer that nothing becomes of what it brought. */
function tellGone(document: FollowedDocument, { request, notes }: AgentCourse): Promise<void> {
  const note = `${sourceWords(request.source)} is gone: what it has installed stays, and is no longer maintained`;
  return notes.news(document, { type: 'Warning', reason: 'Gone', action: 'Follow', note });
}

/** Watches the objects of one configuration, of which only the last one counts. */
function watcher(
  { cluster }: AgentRequest,
  flow: Flow,
  onChange: () => void,
  onBroken: (error: unknown) => void,
): AgentCourse['watch'] {
  let watched: { readonly configuration: string; readonly end: AbortController } | undefined;
  return (configuration, anew) => {
    if (watched?.configuration === configuration && !anew) return;
    watched?.end.abort();
    const end = new AbortController();
    watched = { configuration, end };
    const own = { ...flow, signal: AbortSignal.any([flow.signal, end.signal]) };
    cluster.watch(configuration, own, onChange).catch((error) => {
      if (own.signal.aborted) return;
      // The next look begins it anew.
      if (watched?.end === end) watched = undefined;
      if (error instanceof Error && error.name === 'SolpackError') {
        flow.onEvent({
          type: 'notice',
          subject: configuration,
          message: `is not watched at the moment: ${error.message}`,
        });
      } else onBroken(error);
    });
  };
}

async function calm(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
