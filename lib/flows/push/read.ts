import type { Reference } from '../../../formats/oci/reference.ts';
import { shellWord } from '../../../formats/shell-word.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import { openRegistries, writableTarget } from '../../parts/registries/index.ts';
import { attestationReferrers } from '../../shared/solutions/attestations/index.ts';
import { openCompleted } from '../../shared/solutions/deltas/index.ts';
import { compareRoot } from '../../shared/solutions/trusted/index.ts';
import { namedIn } from './names.ts';
import type { PushMeans, PushRead } from './plan-types.ts';
import type { PushRequest } from './request.ts';

/** What a push needs to know before anything is moved, and what it works with. All is closed with it. */
export interface PushReading extends AsyncDisposable {
  readonly read: PushRead;
  readonly means: PushMeans;
}

/**
 * Opens an archive, and finds out where all of it goes. Throws `archive-invalid`, `verification-failed`,
 * `content-mismatch`, `image-conflict`, and what the registry answers.
 */
export async function readPush(
  { archive: place, bases = [], reference, options, expand }: PushRequest,
  flow: Flow,
): Promise<PushReading> {
  const archive = await openCompleted(place, bases, flow);
  const registries = openRegistries(options);
  const close = async (): Promise<void> => {
    registries.close();
    await archive[Symbol.asyncDispose]();
  };
  try {
    requireSound(archive, reference);
    const target = await writableTarget(registries, reference, options);
    const named = expand ? await namedIn(archive, target, flow.signal) : [];
    const attestations = await attestationReferrers(archive, (message) =>
      flow.onEvent({ type: 'notice', subject: archive.path, message }),
    );
    const read: PushRead = { archive, target, tag: tagOf(reference, archive), named, attestations };
    return { read, means: { ...read, archive, registries }, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Finds the tag that the root gets: the version, unless another tag, or the digest alone, is asked for. */
function tagOf({ tag, digest }: Reference, { catalog: { metadata } }: Archive): string | undefined {
  return tag ?? (digest === undefined ? metadata.version.replaceAll('+', '_') : undefined);
}

/** Makes sure that what is pushed would come back as it was, and is what was asked for. */
function requireSound({ path, catalog }: Archive, { digest }: Reference): void {
  const [finding] = compareRoot(catalog);
  if (finding) {
    throw new SolpackError('verification-failed', path, `${finding.subject}: ${finding.message}`, {
      hint: `"solpack verify ${shellWord(path)}" lists all of it; nothing was pushed`,
    });
  }
  if (digest === undefined || digest === catalog.root.digest) return;
  throw new SolpackError('content-mismatch', path, `its root is ${catalog.root.digest}, not ${digest}`, {
    hint: 'leave the digest out, or name the archive with that root; nothing was pushed',
  });
}
