import { type Copied, copy } from '../../kernel/content/index.ts';
import { byteMeter, type Flow, lend } from '../../kernel/events/index.ts';
import { partialPath } from '../../kernel/files/index.ts';
import { isThere } from '../../kernel/machine/index.ts';
import {
  type Archive,
  beginArchive,
  bundlesIn,
  type Catalog,
  carrierFor,
  presentContents,
  readAttestationSlot,
} from '../../parts/archives/index.ts';

/** What was written. */
export interface Written extends Copied {
  /** Bytes of the archive. */
  readonly size: number;
}

/**
 * Writes the archive that `catalog` describes to the file `output`, as the step `step`, with the contents and the
 * signatures of `archive`. Contents are checked on the way. What was written stays beside it where that fails, and the
 * next run continues with it. Throws what `beginArchive` and reading throw.
 */
export async function writeFrom(
  archive: Archive,
  catalog: Catalog,
  { step, output, sync }: { readonly step: string; readonly output: string; readonly sync?: boolean | undefined },
  flow: Flow,
): Promise<Written> {
  const onNotice = (message: string): void => flow.onEvent({ type: 'notice', subject: output, message });
  const begun = await isThere(partialPath(output));
  const writer = await beginArchive(output, catalog, carrierFor(output), {
    bundles: bundlesIn(await archive.slots()),
    attest: (attestation) => readAttestationSlot(archive, attestation),
    resume: true,
    sync,
    signal: flow.signal,
    ...(begun ? { onNotice } : {}),
  });
  return lend(writer, async () => {
    try {
      const { source } = archive;
      const transfers = presentContents(catalog).map((descriptor) => ({ descriptor, source }));
      const total = transfers.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
      const { onBytes } = byteMeter(flow, step, total);
      const copied = await copy([transfers], writer, { signal: flow.signal, onBytes });
      if (sync !== false) flow.onEvent({ type: 'step', step: 'sync', subject: output });
      await writer.commit();
      return { ...copied, size: writer.size };
    } catch (error) {
      const message = `what was written stays in ${partialPath(output)}; the same command continues with it`;
      // The caller reports who has ended it.
      if (flow.signal.aborted) flow.onEvent({ type: 'left', message });
      else onNotice(message);
      throw error;
    }
  });
}
