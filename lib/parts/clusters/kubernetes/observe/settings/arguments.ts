import { fieldAt, listAt, textAt } from '../../server/index.ts';

/**
 * Returns the value of a flag that the first container of a Pod is started with, such as `--cluster-cidr=10.0.0.0/8`,
 * in one word or in two; undefined where it is not given. The last one counts, as for Kubernetes' own programs.
 */
export function argumentValue(pod: unknown, flag: string): string | undefined {
  const [container] = listAt(pod, 'spec', 'containers');
  const words = ['command', 'args'].flatMap((field) => listAt(container, field).map(String));
  let found: string | undefined;
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`--${flag}=`)) found = word.slice(flag.length + 3);
    else if (word === `--${flag}`) found = words[index + 1];
  }
  return found;
}

/** Whether a Pod is one of a control plane's programs, as kubeadm and its like label them. */
export function isProgram(pod: unknown, program: string): boolean {
  return textAt(fieldAt(pod, 'metadata', 'labels'), 'component') === program;
}
