import { minorOf } from '../../../formats/kubernetes/minors.ts';
import { kubernetesSatisfies } from '../../../formats/solution/kubernetes-range.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { Renderable } from './renderable.ts';

/**
 * Chooses the Kubernetes version that Solutions are rendered for where no cluster is asked: the one that was asked for,
 * otherwise the newest for which all of them are proved to be closed; undefined is Helm's own. Throws `usage-invalid`
 * for what is not a version, and `kubernetes-unsupported` for one that a Solution is not for.
 */
export function renderedVersion(
  solutions: readonly Pick<Renderable, 'path' | 'metadata'>[],
  asked: string | undefined,
): string | undefined {
  if (asked === undefined) return newestOfAll(solutions);
  const [, version, patch = '.0'] = /^v?(\d+\.\d+)(\.\d+(?:[-+].*)?)?$/.exec(asked) ?? [];
  if (version === undefined || minorOf(asked) === undefined) {
    throw new SolpackError(
      'usage-invalid',
      '--kube-version',
      `${JSON.stringify(asked)} is not a version of Kubernetes`,
      {
        hint: 'write it as 1.33 or v1.33.2',
      },
    );
  }
  for (const { path, metadata } of solutions) {
    const { kubernetes } = metadata;
    if (kubernetes === undefined || kubernetesSatisfies(`${version}${patch}`, kubernetes)) continue;
    throw new SolpackError('kubernetes-unsupported', path, `is for Kubernetes ${kubernetes}, not ${asked}`, {
      hint: 'name a version that it supports',
    });
  }
  return `${version}${patch}`;
}

function newestOfAll(solutions: readonly Pick<Renderable, 'metadata'>[]): string | undefined {
  const [first = [], ...others] = solutions.map(({ metadata }) => metadata.closure?.kubernetes ?? []);
  const common = first.filter((version) => others.every((versions) => versions.includes(version)));
  return common.toSorted((a, b) => (minorOf(a) ?? 0) - (minorOf(b) ?? 0)).at(-1);
}
