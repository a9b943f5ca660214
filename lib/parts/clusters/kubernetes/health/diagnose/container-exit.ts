import { counted, fieldAt, numberAt, oneLine, textAt } from '../../server/index.ts';
import { type Cause, type Container, kubectl } from './cause.ts';
import { plainly } from './plain-words.ts';

/** Signals that end containers, by number (Linux, signal(7)). */
const signals: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};

/**
 * Explains why a run of a container ended: the run in `state`, or the previous one in `lastState`. Undefined where it
 * ended as intended.
 */
export function containerEnded(container: Container, which: 'state' | 'lastState'): Cause | undefined {
  const { status, pod, name, who } = container;
  const run = fieldAt(status, which, 'terminated');
  if (run === undefined) return undefined;
  const code = numberAt(run, 'exitCode') ?? 0;
  const restarts = numberAt(status, 'restartCount') ?? 0;
  const reason = textAt(run, 'reason');
  const message = textAt(run, 'message');
  const again = restarts === 0 ? '' : ` (${counted(restarts, 'restart')})`;
  if (reason === 'StartError' || reason === 'ContainerCannotRun') return containerNotStarted(container, message);
  if (reason === 'OOMKilled') return outOfMemory(container, again);
  if (code === 0 && restarts === 0) return undefined;
  const previous = which === 'lastState';
  const command = `${kubectl(pod)} logs ${pod.metadata.name} -c ${name}${previous ? ' --previous' : ''}`;
  const ended = {
    cause: `${who} ended with ${exitOf(code)}${again}${message === '' ? '' : `; it said: ${oneLine(message)}`}`,
    hint: `${adviceFor(code)}; "${command}" shows its whole log`,
  };
  if (message !== '') return ended;
  const namespace = pod.metadata.namespace ?? 'default';
  return { ...ended, log: { namespace, pod: pod.metadata.name, container: name, previous } };
}

/** Explains a container that the runtime cannot start. */
export function containerNotStarted({ who }: Pick<Container, 'who'>, message: string): Cause {
  const hint = /exec format error/.test(message)
    ? "its image is for another architecture than the node's: add that platform to [[images]] and pack again"
    : /no such file|not found in \$PATH|permission denied/.test(message)
      ? 'correct its command, args, or mounts: the program has to be in the image, and executable'
      : 'correct its command, args, mounts, or securityContext';
  return { cause: `${who} cannot be started: ${plainly(message)}`, hint };
}

function outOfMemory({ who, spec }: Container, again: string): Cause {
  const limit = textAt(spec, 'resources', 'limits', 'memory');
  return limit === ''
    ? { cause: `${who} was killed (OOMKilled): memory ran out${again}`, hint: 'give the node more memory' }
    : {
        cause: `${who} was killed (OOMKilled): it needs more memory than its limit of ${limit}${again}`,
        hint: 'raise its memory limit, or make it need less',
      };
}

function exitOf(code: number): string {
  const signal = signals[code - 128];
  return signal === undefined ? `exit code ${code}` : `exit code ${code} (${signal})`;
}

function adviceFor(code: number): string {
  if (code === 0) return 'it has to keep running, so correct its command, or make it a Job';
  if (code === 126 || code === 127) return 'its command is not found or not executable in the image, so correct that';
  return 'correct what it complains about';
}
