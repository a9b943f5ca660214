import { memory } from '../../formats/bytes.ts';
import { sha256 } from '../../formats/digest.ts';
import { type Verification, verifyOpened } from '../../lib/flows/verify/index.ts';
import { carriers, type OpenedCarrier, readRoot } from '../../lib/parts/archives/index.ts';
import { trustInKeys } from '../../lib/parts/trust/index.ts';
import { quietFlow, type SignedArchive } from './archives.ts';
import { checkMessage, isRefusal, must } from './violation.ts';

/** The archive's name in messages. */
const NAME = 'archive';

/**
 * Verifies an archive in memory. Returns the code of the error that refuses it, `ok`, or `findings`. Throws `Violation`
 * for a wrong verdict.
 */
export async function verifyArchive(archive: SignedArchive, bytes: Buffer): Promise<string> {
  let found: OpenedCarrier | undefined;
  let verdict: Verification;
  try {
    found = await opened(bytes);
    if (!found) return 'archive-invalid';
    verdict = await verifyOpened(found, NAME, trustInKeys([archive.key.public], 0), quietFlow);
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
  must(verdict.root === sha256(await readRoot(NAME, found)), 'the root that was judged is not the one inside');
  must(verdict.ok === (verdict.findings.length === 0), 'the verdict and the findings disagree');
  for (const { message } of verdict.findings) checkMessage(message);
  // The same key may have signed another root, which is then sound as well.
  if (verdict.ok && verdict.root === archive.root)
    must(isSound(archive, bytes), 'an archive with changed bytes verifies');
  return verdict.ok ? 'ok' : 'findings';
}

/** Opens an archive in memory as `openAny` opens a file; undefined where its format is unknown. */
export async function opened(bytes: Buffer): Promise<OpenedCarrier | undefined> {
  const carrier = Object.values(carriers).find(({ sniff }) => sniff(bytes.subarray(0, 65_536)));
  if (!carrier) return undefined;
  const close = async (): Promise<void> => undefined;
  const file = { ...memory(bytes), path: NAME, close, [Symbol.asyncDispose]: close };
  return { ...(await carrier.open(file)), file, carrier, [Symbol.asyncDispose]: close };
}

/**
 * Decides whether only such bytes differ as may: those that the carrier leaves to others, and slots. A slot may change
 * into one of an unknown key, and need not be listed.
 */
function isSound({ kind, sample }: SignedArchive, bytes: Buffer): boolean {
  const { original } = sample.canvas;
  if (bytes.length !== original.length) return false;
  const exempt = [...carriers[kind].exempt, ...sample.documents!.slots];
  const copy = Buffer.from(bytes);
  for (const { offset, size } of sample.documents!.entries) {
    if (copy.subarray(offset, offset + size).every((byte) => byte === 0x20)) exempt.push({ offset, size });
  }
  for (const area of exempt) original.copy(copy, area.offset, area.offset, area.offset + area.size);
  return copy.equals(original);
}
