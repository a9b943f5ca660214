import { collect } from '../../../../formats/bytes.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import type { ContentSource } from '../../../../lib/kernel/content/model.ts';
import type { Transfer } from '../../../../lib/kernel/content/move.ts';
import type { RegistryOptions, Repository } from '../../../../lib/parts/registries/index.ts';
import type { Seen } from '../../../support/faults.ts';
import { openRepository } from '../../../support/open-repository.ts';
import type { SampleImage } from '../../../support/registry.ts';

/** What is waited before repetitions, in milliseconds: noted, and not waited. */
export function waits(): { readonly asked: number[]; readonly timing: NonNullable<RegistryOptions['timing']> } {
  const asked: number[] = [];
  const wait = async (milliseconds: number): Promise<void> => void asked.push(milliseconds);
  return { asked, timing: { idle: 20_000, answer: 20_000, wait } };
}

/** Opens a repository, and waits for nothing in vain. */
export function connect(host: string, repository: string, options: RegistryOptions = {}): Promise<Repository> {
  const timing = { ...waits().timing, ...options.timing };
  return openRepository({ scheme: 'http', registry: host, repository }, { ...options, timing });
}

/** Everything of an image, in the order of a push. */
export async function groupsOf(image: SampleImage, source: ContentSource = image): Promise<Transfer[][]> {
  const { blobs, manifests } = await closureOf(new Manifests(image), image.root);
  const groups = [blobs, ...manifests.map(({ descriptor }) => [descriptor])];
  return groups.map((group) => group.map((descriptor) => ({ descriptor, source })));
}

/** Pushes an image and names it. */
export async function push(image: SampleImage, repository: Repository, name: string): Promise<void> {
  await copy(await groupsOf(image), repository);
  await repository.tag(image.root, image.bytesOf(image.root), name);
}

/** One blob copied from one end to the other. */
export function copyOne(descriptor: Descriptor, source: ContentSource, target: Repository): Promise<unknown> {
  return copy([[{ descriptor, source }]], target);
}

/** A source of the blobs of an image that notes in `opened` the offsets that it was asked for. */
export function noting(image: SampleImage): ContentSource & { readonly opened: number[] } {
  const opened: number[] = [];
  const open: ContentSource['open'] = async function* (descriptor, { offset = 0 } = {}) {
    opened.push(offset);
    const bytes = image.bytesOf(descriptor);
    for (let at = offset; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  };
  return { name: image.name, opened, open };
}

/** What a registry gives back, unchecked. */
export function stored(repository: Repository, descriptor: Descriptor): Promise<Uint8Array> {
  return collect(repository.open(descriptor), descriptor.size + 1000);
}

/** Whether a request sends a blob's bytes. */
export function uploads({ method }: Seen): boolean {
  return method === 'PUT' || method === 'PATCH';
}

/** Whether a request asks for the bytes of a blob. */
export function downloads({ method, url }: Seen): boolean {
  return method === 'GET' && url.includes('/blobs/sha256:');
}
