import { FormatError } from '../../../formats/error.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import { blobPath } from '../../../formats/oci/layout.ts';
import type { Finding } from '../../kernel/content/index.ts';
import { type Catalog, type OpenedFiles, presentContents } from '../../parts/archives/index.ts';

/** How many contents may be missing, and each be a finding. */
const MOST = 1000;
/** Of how many contents one is looked for first. */
const SAMPLE = 100;

/**
 * What a catalog names and is not there, where that is far more than what was lost: a manifest of some bytes can name a
 * million contents, and it takes memory to lay them out. Undefined where all is there, or nearly so.
 */
export async function lackingContents({ tree }: OpenedFiles, catalog: Catalog): Promise<Finding[] | undefined> {
  const contents = presentContents(catalog);
  if (contents.length <= MOST) return undefined;
  const isThere = async ({ digest }: Descriptor): Promise<boolean> =>
    (await tree.lookup(blobPath(digest))) !== undefined;
  const findings: Finding[] = [];
  let count = 0;
  try {
    // Where not one of these is missing, most are there.
    if (
      await isEach(
        contents.filter((_, at) => at % SAMPLE === 0),
        isThere,
      )
    )
      return undefined;
    for (const content of contents) {
      if (await isThere(content)) continue;
      const path = blobPath(content.digest);
      count += 1;
      if (count <= MOST) findings.push(missing(path, 'the root names it, but it is not there'));
    }
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
  if (count <= MOST) return undefined;
  return [
    ...findings,
    missing('archive', `${count - MOST} more are not there; the others were checked only by their own digests`),
  ];
}

async function isEach<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (!(await holds(item))) return false;
  return true;
}

function missing(subject: string, message: string): Finding {
  return { code: 'missing-file', subject, message };
}
