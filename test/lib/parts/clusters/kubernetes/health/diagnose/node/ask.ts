// Asks why objects are not ready, from inside a node: node ask.ts KUBECONFIG QUESTIONS. It asks until each cause is the
// one that is looked for, or a minute has passed; the one line on stdout is the list of answers.
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Diagnosis,
  diagnose,
} from '../../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/index.ts';
import {
  type Readiness,
  readinessContext,
  readinessOf,
} from '../../../../../../../../lib/parts/clusters/kubernetes/health/readiness/index.ts';
import type { ObjectName } from '../../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { connect } from '../../../../../../../../lib/parts/clusters/kubernetes/server/client/index.ts';

/** Which object is asked about, and what its cause, or its state and message where it is ready, is to match. */
export interface Question {
  readonly name: ObjectName;
  readonly pattern: string;
}

/** What was found last. */
export interface Answer extends Readiness, Diagnosis {}

const [kubeconfig, asked] = process.argv.slice(2);
const questions = JSON.parse(asked!) as readonly Question[];
const { signal } = new AbortController();
const api = await connect(kubeconfig!, { signal, onEvent: () => undefined, host: { path: [], temp: tmpdir() } });
const answers: Answer[] = [];
// Clock: the limit of all questions.
const end = performance.now() + 120_000;
// Clock: until all are answered, or the limit is over.
for (let open = [...questions.keys()]; open.length > 0 && performance.now() < end; await sleep(200)) {
  for (const at of open) answers[at] = await answer(questions[at]!.name);
  open = open.filter((at) => !isMatch(answers[at]!, questions[at]!.pattern));
}
console.log(JSON.stringify(answers));
await api.close();

async function answer(name: ObjectName): Promise<Answer> {
  const object = await api.read(name, signal);
  if (object === undefined) throw new Error(`${name.kind} ${name.name} is not there`);
  const readiness = readinessOf(object, await readinessContext(api, object, signal));
  return { ...readiness, ...(await diagnose(api, object, signal)) };
}

function isMatch({ state, message, cause }: Answer, pattern: string): boolean {
  return new RegExp(pattern).test(state === 'ready' ? `ready: ${message}` : cause);
}
