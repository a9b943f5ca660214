import { formatReference } from '../../../formats/oci/reference.ts';
import { type Flow, lend } from '../../kernel/events/index.ts';
import { type Given, planSteps, runSteps } from '../../kernel/plan/index.ts';
import type { Repository } from '../../parts/registries/index.ts';
import { namingMissingRepositories } from '../../shared/solutions/registries/index.ts';
import { attached, copied, type PushRead } from './plan-types.ts';
import { readPush } from './read.ts';
import type { PushRequest, PushResult } from './request.ts';
import { pushSteps } from './steps/index.ts';
import { sumOf } from './sum.ts';

export type { PushRequest, PushResult } from './request.ts';

/**
 * Pushes an archive to a repository as one artifact: everything that its root reaches, the root by its own digest and
 * by a tag, signatures as referrers of the root. It does not send what the registry has, so a repeated push continues
 * an interrupted one. It sets the tag last. Throws `archive-invalid`, `verification-failed`, `content-mismatch`,
 * `image-conflict`, and what the registry answers.
 */
export async function push(request: PushRequest, flow: Flow): Promise<PushResult> {
  return lend(await readPush(request, flow), ({ read, means }) => {
    const steps = planSteps(pushSteps, read);
    const { target, named, registries } = means;
    const repositories = (): Repository[] =>
      [target, ...named.map((one) => one.target)].map((at) => registries.open(at));
    return namingMissingRepositories(repositories, flow, () =>
      runSteps(steps, { kinds: pushSteps, means }, flow, (given) => resultOf(given, request, read)),
    );
  });
}

function resultOf({ all, one }: Given, { reference }: PushRequest, { archive, tag, named }: PushRead): PushResult {
  const { root, metadata } = archive.catalog;
  const { registry, repository } = reference;
  const bundles = one(attached);
  return {
    reference: formatReference({ registry, repository, ...(tag ? { tag } : {}), digest: root.digest }),
    name: metadata.name,
    version: metadata.version,
    root: root.digest,
    signatures: bundles.signatures,
    attestations: bundles.attestations,
    ...sumOf([...all(copied), bundles.copied]),
    names: named.map(({ target, tag: own, top: { descriptor } }) => ({
      reference: formatReference({
        registry: target.registry,
        repository: target.repository,
        ...(own ? { tag: own } : { digest: descriptor.digest }),
      }),
      digest: descriptor.digest,
    })),
  };
}
