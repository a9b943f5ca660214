import { totalSize } from '../../../formats/oci/descriptor.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { type Finding, openChecked } from '../../kernel/content/index.ts';
import { byteMeter, type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type Archive, absentDigests, baseWords, completedBy, deltaSummary } from '../../parts/archives/index.ts';
import type { CheckedDelta } from './checked-delta.ts';

/** An archive that may lack something, as it is read. */
type Part = Pick<Archive, 'path' | 'catalog' | 'source' | 'content'>;

/**
 * Hashes what a delta lacks in the archives that have it. Where none were given, that it lacks something is no finding.
 * Undefined where it is whole. Throws what reading throws.
 */
export async function checkAbsent(
  archive: Part,
  others: readonly Archive[],
  flow: Flow,
): Promise<{ readonly delta: CheckedDelta; readonly findings: readonly Finding[] } | undefined> {
  const summary = deltaSummary(archive.catalog);
  if (!summary) return undefined;
  const completed = completedBy<Part & Partial<Pick<Archive, 'lacks'> & AsyncDisposable>>(archive, others, flow);
  const { lacks = [] } = completed;
  const delta = { ...summary, lacking: lacks.length, lackingBytes: totalSize(lacks) };
  const findings = await hashAbsent(completed, flow).finally(() => completed[Symbol.asyncDispose]?.());
  return { delta, findings: others.length > 0 && lacks.length > 0 ? [...findings, missing(delta)] : findings };
}

async function hashAbsent(
  { catalog, source, lacks = [] }: Part & Pick<Archive, 'lacks'>,
  flow: Flow,
): Promise<Finding[]> {
  const elsewhere = new Set(absentDigests(catalog));
  for (const { digest } of lacks) elsewhere.delete(digest);
  const wanted = catalog.contents.filter(({ digest }) => elsewhere.has(digest));
  const { onBytes } = byteMeter(flow, 'verify', totalSize(wanted));
  const findings: Finding[] = [];
  for (const descriptor of wanted) {
    try {
      for await (const chunk of openChecked({ descriptor, source }, flow.signal)) onBytes(chunk.length);
    } catch (error) {
      if (!(error instanceof SolpackError) || error.code !== 'content-mismatch') throw error;
      findings.push({ code: 'blob-mismatch', subject: descriptor.digest, message: error.message });
    }
  }
  return findings;
}

function missing({ lacking, lackingBytes, bases }: CheckedDelta): Finding {
  const message = `lacks ${lacking} contents (${sizeWords(lackingBytes)}) that none of the given archives has; it is complete with ${baseWords(bases)}`;
  return { code: 'missing-file', subject: 'delta', message };
}
