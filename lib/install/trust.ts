import type { Digest } from '../../formats/digest.ts';
import type { SolutionMetadata } from '../../formats/solution/metadata.ts';
import type { Bounds } from '../../formats/trust/bounds.ts';
import type { Archive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { FindingCode } from '../model.ts';
import { untrusted } from '../solutions/untrusted.ts';
import { decisionCodes, ruleFor, type Trust } from '../trust/index.ts';
import { verifyOpened } from '../verify/index.ts';

/** Whom an install trusts, and what it remembers of what it trusted. */
export interface Trusting {
  readonly basis: Trust;
  /** The folder that remembers the highest sequence of each Solution. */
  readonly state: string;
  /** Goes on where a newer release was installed before, and tells of it. */
  readonly allowDowngrade: boolean;
}

/** What is known of an archive that may be installed. */
export interface Verified {
  /** Ids of the keys whose signatures count. */
  readonly signers: readonly string[];
  /** Whether a newer release was installed before. */
  readonly downgraded: boolean;
  /** How far it may go; undefined where nothing limits it. */
  readonly bounds: Bounds | undefined;
}

const decisions: ReadonlySet<FindingCode> = new Set(decisionCodes);

/**
 * Makes sure that an archive is what its root says, and that it is trusted; `skip` asks for its bytes alone, and says so.
 * The blobs `later` are not read: they have to be hashed when they are used.
 * Throws `verification-failed`, `not-trusted`.
 */
export async function requireVerified(
  archive: Archive,
  trust: Trusting | 'skip',
  flow: Flow,
  later?: ReadonlySet<Digest>,
): Promise<Verified> {
  const { path } = archive;
  const basis = trust === 'skip' ? undefined : trust.basis;
  const { trusted, findings, signers } = await verifyOpened(archive, path, basis, flow, later);
  const integrity = findings.filter(({ code }) => !decisions.has(code));
  const decided = findings.filter(({ code }) => decisions.has(code));
  const downgrade =
    trust !== 'skip' && trust.allowDowngrade ? decided.find(({ code }) => code === 'downgrade') : undefined;
  const refusals = decided.filter((finding) => finding !== downgrade);
  // As `verify` has it: what is not trusted is that first of all, damaged or not.
  if (refusals.length > 0 || (trusted === false && downgrade === undefined)) {
    throw untrusted(path, [...refusals, ...integrity.slice(0, 1)]);
  }
  const [first] = integrity;
  if (first) {
    const more = integrity.length > 1 ? ` (and ${integrity.length - 1} more)` : '';
    throw new SolpackError('verification-failed', path, `${first.subject}: ${first.message}${more}`, {
      hint: `"solpack verify ${path}" lists all of it; fetch the archive again`,
    });
  }
  const tell = (message: string): void => flow.onEvent({ type: 'notice', subject: path, message });
  if (trust === 'skip') {
    tell('NOT TRUSTED: its bytes are intact, but who made it was not checked, as --insecure-skip-verify asks');
    return { signers, downgraded: false, bounds: undefined };
  }
  if (downgrade) tell(`is installed all the same, as --allow-downgrade asks: ${downgrade.message}`);
  const bounds = ruleFor(trust.basis.policy, archive.catalog.metadata.name)?.allow;
  return { signers, downgraded: downgrade !== undefined, bounds };
}

/** What is remembered of a release once it is installed. */
interface MemorableRelease {
  readonly name: string;
  readonly sequence: number | null;
  readonly created: number | null;
}

/** Tells what is remembered of a release under a policy: a date alone is nothing to remember, where nothing depends on it. */
export function memorable(
  { name, sequence, created, expires }: SolutionMetadata,
  policy: Trust['policy'],
): MemorableRelease {
  // Something does where releases are counted, or expire, or the policy lets them move the time.
  const dated = (sequence ?? expires) !== undefined || ruleFor(policy, name)?.movesTime === true;
  return { name, sequence: sequence ?? null, created: dated ? created : null };
}
