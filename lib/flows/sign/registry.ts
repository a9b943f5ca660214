import { memory } from '../../../formats/bytes.ts';
import type { Reference } from '../../../formats/oci/reference.ts';
import { fillSlot } from '../../../formats/sigstore/slot.ts';
import type { Flow } from '../../kernel/events/index.ts';
import { writeFile } from '../../kernel/files/index.ts';
import type { Catalog } from '../../parts/archives/index.ts';
import { openRegistries, type RegistryOptions, type Repository, writableTarget } from '../../parts/registries/index.ts';
import { type Signer, signRoot, signStatementBy } from '../../parts/trust/index.ts';
import {
  type AttestationReferrer,
  attestationReferrer,
  attestationsIn,
  isTaken,
  signableStatement,
} from '../../shared/solutions/attestations/index.ts';
import {
  atRoot,
  catalogAt,
  type FoundRoot,
  type FoundSignature,
  findSignatures,
  pushSignature,
} from '../../shared/solutions/registries/index.ts';
import { compareRoot } from '../../shared/solutions/trusted/index.ts';
import { verifyInRegistry } from '../verify/index.ts';
import { isSignedBy, requireSound } from './preconditions.ts';
import type { SignRequest, SignResult } from './request.ts';

/** What to sign in a registry, with what, and where the signature goes. */
export interface SignInRegistryRequest extends Omit<SignRequest, 'archive'> {
  /** With a tag or a digest. */
  readonly reference: Reference;
  readonly options: RegistryOptions;
}

/**
 * Signs the root of a Solution in a registry, and the unsigned statements of its attestations. Signatures become
 * referrers of their subjects, or go to a file. Existing content of the registry does not change. Throws
 * `solution-absent`, `archive-invalid`, `verification-failed`, `tool-failed`, `output-unwritable`, and what the
 * registry answers.
 */
export async function signInRegistry(request: SignInRegistryRequest, flow: Flow): Promise<SignResult> {
  const { reference, options } = request;
  const registries = openRegistries(options);
  try {
    const repository = registries.open(await writableTarget(registries, reference, options));
    const place = { reference, connect: async () => repository };
    return await atRoot(place, flow, async (found) => {
      flow.onEvent({ type: 'step', step: 'sign', subject: found.subject });
      const catalog = await catalogAt(found, flow);
      const whole = { archive: place, trust: undefined };
      requireSound(
        found.subject,
        request.verify ? (await verifyInRegistry(whole, flow)).findings : compareRoot(catalog),
      );
      return signFound(found, catalog, repository, request, flow);
    });
  } finally {
    registries.close();
  }
}

async function signFound(
  found: FoundRoot,
  catalog: Catalog,
  repository: Repository,
  { signer, output }: SignInRegistryRequest,
  flow: Flow,
): Promise<SignResult> {
  const { root, rootBytes, subject } = found;
  const done = { root: root.digest, keyId: signer.public.keyId };
  if (output !== undefined) {
    await writeFile(output, await signRoot(rootBytes, signer, flow));
    return { ...done, slot: undefined, already: false, attested: [] };
  }
  const { count, size } = catalog.metadata.signatureSlots;
  const onSkip = (message: string): void => flow.onEvent({ type: 'notice', subject, message });
  const signatures = await findSignatures(repository, root, size, { signal: flow.signal, onSkip });
  const holds = signatures.find(({ bundle }) => isSignedBy(rootBytes, fillSlot(bundle, size), signer.public));
  const slot = holds ? holds.slot : freeSlot(signatures, count);
  const statements = await signStatements(found, catalog, repository, signer, flow);
  const bundle = holds ? undefined : await signRoot(rootBytes, signer, flow);
  const referrers = statements.map(({ referrer }) => referrer);
  const made = await pushSignature({ root, bundle, slot }, referrers, repository, flow);
  const attested = statements.map(({ name }) => name);
  return { ...done, slot, referrer: holds?.digest ?? made, already: holds !== undefined, attested };
}

/** Finds the first slot that no signature has. */
function freeSlot(signatures: readonly FoundSignature[], count: number): number | undefined {
  const taken = new Set(signatures.map(({ slot }) => slot));
  return Array.from({ length: count }, (_, number) => number).find((number) => !taken.has(number));
}

/** Signs the attestations without a signed statement, and those whose statement by the same signer is not valid. */
async function signStatements(
  { subject }: FoundRoot,
  catalog: Catalog,
  repository: Repository,
  signer: Signer,
  flow: Flow,
): Promise<{ readonly name: string; readonly referrer: AttestationReferrer }[]> {
  const { bundleOf } = attestationsIn(repository, catalog, subject, flow);
  const signed: { name: string; referrer: AttestationReferrer }[] = [];
  for (const attestation of catalog.attestations) {
    flow.signal.throwIfAborted();
    const statement = await signableStatement(subject, { source: repository, catalog }, attestation, flow);
    if (isTaken(statement, await bundleOf(attestation), signer)) continue;
    const bytes = await signStatementBy(statement, signer, flow);
    signed.push({ name: attestation.name, referrer: attestationReferrer(catalog, attestation, bytes, memory(bytes)) });
  }
  return signed;
}
