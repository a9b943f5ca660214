import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { totalSize } from '../../../formats/oci/descriptor.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { Finding } from '../../kernel/content/model.ts';
import { openChecked } from '../../kernel/content/move.ts';
import { SolpackError } from '../../kernel/events/errors.ts';
import type { Flow } from '../../kernel/events/flow.ts';
import { byteMeter } from '../../kernel/events/meter.ts';
import {
  type Archive,
  baseWords,
  type Catalog,
  deltaSummary,
  lackedBy,
  presentContents,
} from '../../parts/archives/index.ts';
import type { CheckedDelta } from './checked-delta.ts';

/**
 * Hashes what a delta lacks in the archives that have it. Where none were given, that it lacks something is no finding. Undefined where it
 * is whole. Throws what reading throws.
 */
export async function checkAbsent(
  catalog: Catalog,
  archives: readonly Archive[],
  flow: Flow,
): Promise<{ readonly delta: CheckedDelta; readonly findings: readonly Finding[] } | undefined> {
  const summary = deltaSummary(catalog);
  if (!summary) return undefined;
  const lacking = lackedBy({ catalog }, archives);
  const delta = { ...summary, lacking: lacking.length, lackingBytes: totalSize(lacking) };
  const findings = await hashAbsent(catalog, lacking, archives, flow);
  return {
    delta,
    findings: archives.length > 0 && lacking.length > 0 ? [...findings, missing(delta)] : findings,
  };
}

async function hashAbsent(
  catalog: Catalog,
  lacking: readonly Descriptor[],
  archives: readonly Archive[],
  flow: Flow,
): Promise<Finding[]> {
  const present = new Set([...presentContents(catalog), ...lacking].map(({ digest }) => digest));
  const wanted = catalog.contents.filter(({ digest }) => !present.has(digest));
  const holders = archives.map(({ catalog: held, source }) => {
    return { digests: new Set(presentContents(held).map(({ digest }) => digest)), source };
  });
  const { onBytes } = byteMeter(flow, 'verify', totalSize(wanted));
  const findings: Finding[] = [];
  for (const descriptor of wanted) {
    const source = holders.find(({ digests }) => digests.has(descriptor.digest))!.source;
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
  const message = `lacks ${lacking} contents (${sizeWords(lackingBytes)}) that no archive given has; it is complete with ${baseWords(bases)}`;
  return { code: 'missing-file', subject: 'delta', message };
}
