import * as fs from 'node:fs/promises';
import { join, relative } from 'node:path';
import { byteOrder, slice } from '../../../formats/bytes.ts';
import { type Digest, measure } from '../../../formats/digest.ts';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { groupOf } from '../../../formats/manifest/namespace.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import { lend } from '../../kernel/events/index.ts';
import { openFile, portable } from '../../kernel/files/index.ts';
import { inputDigest } from '../../kernel/plan/index.ts';
import type { UnpackedComponent } from '../../parts/components/index.ts';

/** Digests all that decides what a chart is rendered to, except the cluster: its files, and how they are rendered. */
export async function inputsDigestOf(component: UnpackedComponent): Promise<Digest> {
  const apart = {
    folder: '',
    cluster: null,
    lookups: null,
    parsed: null,
    upgrade: null,
    solution: null,
    variables: null,
  };
  const { folder, keepDrawn: _, ...rest } = component;
  const own = { ...rest, ...apart };
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digests: (readonly [string, Digest])[] = [];
  for (const file of files.sort(byteOrder)) {
    const { digest } = await lend(await openFile(file), (open) => measure(slice(open, 0, open.size)));
    digests.push([portable(relative(folder, file)), digest]);
  }
  return inputDigest([own, digests]);
}

/**
 * Digests what a component sees of a cluster: its version and, where it asks for that, what is served. What is served
 * only since this was installed, as `brought` says, does not count.
 */
export function seenFactsDigest(
  { version, apiVersions }: ClusterFacts,
  asksKinds: boolean,
  brought: readonly string[],
): Digest {
  const isOwn = (one: string): boolean => brought.some((own) => one === own || one.startsWith(`${own}/`));
  const seen = asksKinds ? apiVersions.filter((one) => !isOwn(one)).sort(byteOrder) : [];
  return inputDigest([version, seen]);
}

/**
 * Returns what the APIServices among objects serve, as `group/version` (apiregistration.k8s.io/v1, `APIServiceSpec`).
 */
export function broughtBy(objects: readonly KubernetesObject[]): string[] {
  const served = objects.flatMap((object) => {
    if (object.kind !== 'APIService' || groupOf(object) !== 'apiregistration.k8s.io') return [];
    const { group, version } = (object['spec'] ?? {}) as Readonly<Record<string, unknown>>;
    return [`${group}/${version}`];
  });
  return [...new Set(served)].sort(byteOrder);
}
