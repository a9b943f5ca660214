import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import { matchesName } from '../../../formats/trust/match.ts';

/**
 * Decides whether a definition's `external-images` say that sites bring an image. An entry is a reference, or, with
 * neither tag nor digest, a repository whose images are all meant; in either, `*` stands for any letters.
 */
export function isExternal(entries: readonly string[], reference: string): boolean {
  return entries.some((entry) => entry === reference || matches(entry, reference));
}

function matches(entry: string, reference: string): boolean {
  const full = parts(reference);
  if (entry.includes('*')) {
    return [reference, full?.all, full?.repository].some((name) => name !== undefined && matchesName(entry, name));
  }
  const said = parts(entry);
  if (said === undefined || full === undefined) return false;
  return said.settled ? said.all === full.all : said.repository === full.repository;
}

/** A reference in full, and its repository alone; undefined for what is none. */
function parts(value: string): { all: string; repository: string; settled: boolean } | undefined {
  try {
    const reference = parseReference(value);
    const { registry, repository, tag, digest } = reference;
    const settled = (tag ?? digest) !== undefined;
    return { all: formatReference(reference), repository: `${registry}/${repository}`, settled };
  } catch {
    return undefined;
  }
}
