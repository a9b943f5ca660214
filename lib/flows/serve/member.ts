import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import { type Archive, damaged, LayerBuilder } from '../../parts/archives/index.ts';
import type { ServedContent } from '../../parts/registry-server/index.ts';
import type { Trust } from '../../parts/trust/index.ts';
import { type ArchivePlace, openMedium, placeName } from '../../shared/solutions/media/index.ts';
import { servedContent } from '../../shared/solutions/registries/index.ts';
import type { Candidate } from '../../shared/solutions/sets/index.ts';
import { requireTrusted } from '../../shared/solutions/trusted/index.ts';
import { type Lacks, lacksOf, lentByOthers } from './lacking.ts';

/** An archive that is served, or could be. */
export interface Member extends Candidate {
  readonly stamp: string;
  readonly content: ServedContent;
  readonly lacks: Lacks;
  /** References of its images. */
  readonly images: readonly string[];
  /** How many entries are kept in memory for it. */
  readonly entries: number;
  close(): PromiseLike<void>;
}

/** What a collection knows of what is served. */
export interface CollectionState {
  readonly members: readonly Member[];
  readonly document: SolutionsConfiguration | undefined;
  readonly missing: readonly { readonly path: string; readonly reason: string | undefined }[];
}

/**
 * How many entries all archives that are served may have together: contents of repositories, and files of archives
 * without a directory. They take some 100 MiB, so that nobody can fill the memory by moving archives into a folder.
 */
const ENTRIES = 2 ** 19;

/**
 * Opens the archive at a place, where `stamp` is what lies there. What it lacks is read out of `others`. Throws what
 * opening throws, `archive-damaged`, and with `trust` `not-trusted`.
 */
export async function openMember(
  place: ArchivePlace,
  stamp: string,
  flow: Flow,
  trust: Trust | undefined,
  others: () => readonly Member[] = () => [],
): Promise<Member> {
  const path = placeName(place);
  const archive = await openMedium(place, flow);
  try {
    if (trust) await requireTrusted(archive, trust);
    const lacks = lacksOf(archive);
    const builder = new LayerBuilder(flow);
    const content = lentByOthers({ path, content: await servedContent(archive), lacks }, others, builder);
    const member = memberOf(path, stamp, archive, content);
    const close = async (): Promise<void> => {
      await builder.close();
      await member.close();
    };
    return { ...member, lacks, close };
  } catch (error) {
    await archive[Symbol.asyncDispose]();
    throw damaged(path, error);
  }
}

/** Keeps what serving needs of an archive, which does not include its catalog. */
function memberOf(path: string, stamp: string, archive: Archive, content: ServedContent): Omit<Member, 'lacks'> {
  const contents = content.repositories.reduce((sum, repository) => sum + repository.content.size, 0);
  const { name, version } = archive.catalog.metadata;
  return {
    path,
    name,
    version,
    group: undefined,
    stamp,
    content,
    images: archive.catalog.images.map(({ reference }) => reference),
    entries: contents + (archive.tree.held ?? 0),
    close: archive[Symbol.asyncDispose],
  };
}

/**
 * Checks that there is room for an archive beside the others; where not, it closes the archive and throws
 * `archive-invalid`.
 */
export async function requireRoom(others: readonly Member[], { path, entries, close }: Member): Promise<void> {
  const taken = others.reduce((sum, member) => sum + member.entries, 0);
  if (taken + entries <= ENTRIES) return;
  await close();
  const message = `has ${entries} contents and files, but all that is served may have ${ENTRIES} together, of which ${taken} are used`;
  throw new SolpackError('archive-invalid', path, message, { hint: 'serve it by a separate process' });
}
