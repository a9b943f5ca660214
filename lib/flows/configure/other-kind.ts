import { FormatError } from '../../../formats/error.ts';
import { parseYaml } from '../../../formats/manifest/yaml.ts';
import { isRecord } from '../../../formats/record.ts';
import { SOLUTIONS_API } from '../../../formats/solution/solutions-api.ts';
import { isInRegistry } from '../../kernel/content/index.ts';
import { type Flow, lend, SolpackError } from '../../kernel/events/index.ts';
import { entryReader, type OpenedFiles, openAny } from '../../parts/archives/index.ts';
import type { ArchivePlace } from '../../shared/solutions/media/index.ts';

/** Most bytes of a file that says what an image is. */
const LIMIT = 1024 * 1024;

/**
 * Returns the error of an archive that could not be opened: where it is of MetalK8s or for it, with what it is instead
 * of an archive of solpack. Returns other errors unchanged.
 */
export async function tellOther(place: ArchivePlace, error: unknown, { signal }: Flow): Promise<unknown> {
  if (!(error instanceof SolpackError) || error.code !== 'archive-invalid') return error;
  if (isInRegistry(place)) return error;
  try {
    const words = await lend(await openAny(place, signal), async (opened) => {
      return (await inManifest(opened)) ?? (await inProduct(opened));
    });
    if (words === undefined) return error;
    return new SolpackError(
      'archive-invalid',
      error.subject,
      `is not an archive of a Solution that solpack packed: ${words}`,
      {
        cause: error,
        hint: 'name an archive that "solpack pack" made; "solpack ls" shows what is in this one',
      },
    );
  } catch (failure) {
    if (failure instanceof SolpackError || failure instanceof FormatError) return error;
    throw failure;
  }
}

/** What the `manifest.yaml` of a Solution for MetalK8s says. */
async function inManifest(opened: OpenedFiles): Promise<string | undefined> {
  const text = await textOf(opened, 'manifest.yaml');
  if (text === undefined) return undefined;
  const value = parseYaml(text, 'manifest.yaml')[0]?.value;
  if (!isRecord(value)) return 'its manifest.yaml has no fields';
  const { kind, apiVersion, metadata, spec } = value;
  if (kind !== 'Solution') return `its manifest.yaml is of the kind ${JSON.stringify(kind ?? null)}, not "Solution"`;
  if (apiVersion !== SOLUTIONS_API) {
    return `its manifest.yaml is of the apiVersion ${JSON.stringify(apiVersion ?? null)}, not "${SOLUTIONS_API}"`;
  }
  const name = isRecord(metadata) ? metadata['name'] : undefined;
  const version = isRecord(spec) ? spec['version'] : undefined;
  // Where nobody put it in quotes, YAML has made a number of it.
  const words = [name, version].filter((one) => typeof one === 'string');
  return ['it is the Solution', ...words, 'for MetalK8s'].join(' ');
}

/** What the `product.txt` of MetalK8s itself, or of an early Solution for it, says. */
async function inProduct(opened: OpenedFiles): Promise<string | undefined> {
  const text = await textOf(opened, 'product.txt');
  const field = (name: string): string | undefined =>
    text
      ?.split('\n')
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .trim();
  const name = field('NAME');
  return name === undefined ? undefined : `it is ${name} ${field('VERSION') ?? ''}`.trimEnd();
}

async function textOf({ file, tree }: OpenedFiles, path: string): Promise<string | undefined> {
  const entry = await tree.lookup(path);
  if (entry?.type !== 'file' || entry.size > LIMIT) return undefined;
  return Buffer.from(await entryReader(file, entry).read(0, entry.size)).toString();
}
