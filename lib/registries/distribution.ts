import { type Descriptor, isManifestType } from '../../formats/oci/descriptor.ts';
import { isRepository } from '../../formats/oci/reference.ts';
import { SolpackError } from '../errors.ts';
import type { NamedSource, NamedTarget } from '../model.ts';
import { type Call, type Client, createClient, type RegistryOptions } from './client.ts';
import { download, manifestTypes, pathOf } from './download.ts';
import { nameIn, resolve } from './resolve.ts';
import type { RepositoryTarget } from './target.ts';
import { pushBlob, pushManifest, putManifest } from './upload.ts';

/** A repository of a registry, to read from and to write to. */
export interface Repository extends NamedSource, NamedTarget {}

/**
 * Opens a repository by the OCI distribution specification 1.1. Nothing is sent before it is used. Its methods throw
 * `registry-unreachable`, `registry-denied` and `registry-error`, naming method, URL, status and what the registry
 * said. Throws `usage-invalid` for a target that cannot be one.
 */
export async function openRepository(target: RepositoryTarget, options: RegistryOptions = {}): Promise<Repository> {
  const name = `${target.registry}/${target.repository}`;
  if (!isRepository(target.repository) || !URL.canParse(`${target.scheme}://${target.registry}/`)) {
    throw new SolpackError('usage-invalid', name, `${name} is not a repository of a registry`, {
      hint: 'write HOST[:PORT]/NAME, the name in lower case',
    });
  }
  const client = createClient(target, options);
  return {
    name,
    resolve: async (wanted, signal) => {
      const own = nameIn(target.repository, wanted);
      return own === undefined ? undefined : resolve(client, own, signal);
    },
    open: (descriptor, signal) => download(client, descriptor, 0, signal),
    openFrom: (descriptor, offset, signal) => download(client, descriptor, offset, signal),
    has: (descriptor, signal) => has(client, descriptor, signal),
    push: (descriptor, bytes, signal) => {
      const push = isManifestType(descriptor.mediaType) ? pushManifest : pushBlob;
      return push(client, descriptor, bytes, signal);
    },
    tag: async (descriptor, bytes, wanted, signal) => {
      const own = nameIn(target.repository, wanted);
      if (own === undefined) {
        throw new SolpackError('usage-invalid', wanted, `${wanted} cannot be a name in ${name}`, {
          hint: 'use a tag, or a reference to this repository',
        });
      }
      await putManifest(client, descriptor, bytes, own, signal);
    },
    close: async () => client.close(),
  };
}

/** Whether the repository has the content (distribution-spec "Checking if content exists in the registry"). */
async function has(client: Client, descriptor: Descriptor, signal?: AbortSignal): Promise<boolean> {
  const manifest = isManifestType(descriptor.mediaType);
  // Asked for with the rights of a push, so that the token that follows from it serves the push as well.
  const call: Call = {
    method: 'HEAD',
    to: pathOf(descriptor),
    actions: 'pull,push',
    headers: manifest ? { accept: manifestTypes } : {},
    signal,
  };
  const answer = await client.send(call);
  if (answer.status !== 200 && answer.status !== 404) throw await client.failure(call, answer);
  answer.discard();
  const length = answer.headers['content-length'];
  const whole = manifest || length === undefined || Number(length) === descriptor.size;
  return answer.status === 200 && whole;
}
