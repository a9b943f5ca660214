import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import { isGate, type PlannedObject } from '../desired/index.ts';
import { type ApiError, listAt, textAt } from '../server/index.ts';

/** Kinds of objects that admission needs to exist before it admits others, as `group/Kind`. */
const asked: ReadonlySet<string> = new Set([
  '/LimitRange',
  '/ResourceQuota',
  '/ServiceAccount',
  'node.k8s.io/RuntimeClass',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/Role',
  'scheduling.k8s.io/PriorityClass',
]);

/**
 * Decides whether a refusal of a dry run may be gone by the time the object is really applied: it names an object that
 * the request will make or change first (a ServiceAccount, a quota, a policy), or a webhook of the request that does
 * not answer yet. `changing` are the objects of the request that will change, `all` are all of them.
 */
export function mayPass(error: ApiError, changing: readonly PlannedObject[], all: readonly PlannedObject[]): boolean {
  // "pods \"web\" is forbidden: …": the name of the object itself explains nothing.
  const words = error.message.replace(/^.*?\bis (?:forbidden|invalid): /, '');
  const gates = /failed calling webhook/.test(words) ? all : changing;
  const names = [
    ...changing.filter(({ name }) => asked.has(`${groupOf(name)}/${name.kind}`)).map(({ name }) => name.name),
    ...gates.filter(({ object }) => isGate(object)).flatMap(namesOfGate),
  ];
  return names.some((name) => isNamed(name, words));
}

function namesOfGate({ object, name }: PlannedObject): string[] {
  return [name.name, ...listAt(object, 'webhooks').map((webhook) => textAt(webhook, 'name'))];
}

function isNamed(name: string, words: string): boolean {
  if (name === '') return false;
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    const around = [words[at - 1] ?? '', words[at + name.length] ?? ''];
    if (!around.some((letter) => /[\w-]/.test(letter))) return true;
  }
  return false;
}
