import { type Descriptor, isManifestType } from '../../../formats/oci/descriptor.ts';
import { isRepository } from '../../../formats/oci/reference.ts';
import type { ContentSource } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { createClient } from './client.ts';
import type { Client, Shared } from './client-kind.ts';
import { has, note, tagged } from './content-presence.ts';
import { download } from './download.ts';
import { listCatalog } from './list-catalog.ts';
import { listTags } from './list-tags.ts';
import { mount } from './mount-blob.ts';
import { freeBytesOf, requireAnswering, requireWritable } from './probe.ts';
import { pushManifest, putManifest } from './push-manifest.ts';
import { fetchReferrers } from './referrers.ts';
import type { Repository } from './repository-kind.ts';
import type { RepositoryTarget } from './repository-target.ts';
import { nameIn, resolve } from './resolve.ts';
import { pushBlob } from './upload-blob.ts';
import type { Session } from './upload-session.ts';

/** The repositories that sources are, for those that can be read without moving a byte. */
const repositories = new WeakMap<ContentSource, RepositoryTarget>();

/**
 * Makes a repository by the OCI distribution specification 1.1. Nothing is sent before it is used. Its methods throw
 * `registry-unreachable`, `registry-denied` and `registry-error`, naming method, URL, status and what the registry
 * said.  Throws `usage-invalid` for a target that cannot be one.
 */
export function repositoryAt(target: RepositoryTarget, shared: Shared): Repository {
  const name = `${target.registry}/${target.repository}`;
  if (!isRepository(target.repository) || !URL.canParse(`${target.scheme}://${target.registry}/`)) {
    throw new SolpackError('usage-invalid', name, `${name} is not a repository of a registry`, {
      hint: 'write HOST[:PORT]/NAME, the name in lower case',
    });
  }
  const client = createClient(target, shared);
  const sessions = new Map<string, Session>();
  const repository: Repository = {
    name,
    target,
    resolve: async (wanted, signal) => {
      const own = nameIn(target.repository, wanted);
      return own === undefined ? undefined : resolve(client, own, signal);
    },
    open: (descriptor, options) => download(client, descriptor, options),
    has: (descriptor, signal) => has(client, descriptor, signal),
    adopt: async (descriptor, source, signal) => {
      const from = elsewhere(client, descriptor, source);
      if (from === undefined || isManifestType(descriptor.mediaType)) return false;
      const mounted = await mount(client, descriptor, from, signal);
      if (mounted === true) note(client, descriptor);
      // The upload that was opened instead is not left behind.
      else if (mounted) sessions.set(descriptor.digest, mounted);
      return mounted === true;
    },
    push: async (descriptor, read, signal) => {
      if (isManifestType(descriptor.mediaType)) return pushManifest(client, descriptor, read(), signal);
      const session = sessions.get(descriptor.digest);
      sessions.delete(descriptor.digest);
      await pushBlob(client, { descriptor, read }, session, signal);
      note(client, descriptor);
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
    referrers: (subject, artifactType, signal) => fetchReferrers(client, subject, artifactType, signal),
    tagged: (tag, signal) => tagged(client, tag, signal),
    catalog: (signal) => listCatalog(client, signal),
    tags: (signal) => listTags(client, signal),
    requireWritable: (signal) => requireWritable(client, signal),
    requireAnswering: (signal) => requireAnswering(client, signal),
    freeBytes: (signal) => freeBytesOf(client, signal),
    close: async () => undefined,
  };
  repositories.set(repository, target);
  return repository;
}

/**
 * Returns another repository of the same registry that has a blob: the one it is copied from, or one that was seen to
 * have it.
 */
function elsewhere({ target, shared }: Client, { digest }: Descriptor, source: ContentSource): string | undefined {
  const from = repositories.get(source);
  const same = from?.registry === target.registry && from.scheme === target.scheme;
  if (same && from.repository !== target.repository) return from.repository;
  return shared.known.elsewhere(target.registry, target.repository, digest);
}
