import { type Bytes, fleeting, type ReadAt, slice } from '../../../../formats/bytes.ts';
import type { Digest } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import type { ContentSource, OpenOptions } from '../../../kernel/content/index.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import type { OpenFile } from '../../../kernel/files/index.ts';
import { recipeContents } from '../absent-contents.ts';
import type { Catalog } from '../catalog.ts';
import type { ContentOrigin } from './origins.ts';
import { rebuildLayer } from './rebuild.ts';

/** An archive that contents are read out of. */
export interface RecipeArchive {
  readonly catalog: Pick<Catalog, 'contents' | 'selection'>;
  readonly source: Pick<ContentSource, 'open'>;
  content(descriptor: Descriptor): Promise<ReadAt>;
}

type Recipe<T> = Extract<ContentOrigin<T>, { readonly kind: 'recipe' }>;

/**
 * Makes layers by recipes, each once and one after another, when they are first read. They stay in temporary files
 * until it is closed.
 */
export class LayerBuilder {
  readonly #flow: Pick<Flow, 'host' | 'signal'>;
  readonly #files = new Map<Digest, Promise<OpenFile>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(flow: Pick<Flow, 'host' | 'signal'>) {
    this.#flow = flow;
  }

  /** Gives random access to a layer. Throws `content-mismatch` where the recipe does not make it. */
  async file(recipe: Recipe<RecipeArchive>, { digest, size }: Pick<Descriptor, 'digest' | 'size'>): Promise<ReadAt> {
    // What it is made of comes first: the one that waits must not hold up what it waits for.
    for (const { descriptor, origin } of recipe.sources) {
      if (origin.kind === 'recipe') await this.file(origin, descriptor);
    }
    const known = this.#files.get(digest);
    if (known) return known;
    const making = this.#last.then(() => this.#make(recipe, size));
    this.#files.set(digest, making);
    this.#last = making.catch(() => {
      // Whoever asks again may have more luck: a disk that was full may have room.
      this.#files.delete(digest);
    });
    return making;
  }

  /** Streams a layer. */
  async *open(recipe: Recipe<RecipeArchive>, descriptor: Descriptor, { offset = 0, into }: OpenOptions = {}): Bytes {
    const file = await this.file(recipe, descriptor);
    const length = file.size - offset;
    yield* into ? fleeting(file, offset, length, into) : slice(file, offset, length);
  }

  /** Removes what was made. */
  async close(): Promise<void> {
    await this.#last;
    const files = await Promise.allSettled(this.#files.values());
    this.#files.clear();
    for (const file of files) if (file.status === 'fulfilled') await file.value.close();
  }

  async #make({ part, layer, sources }: Recipe<RecipeArchive>, size: number): Promise<OpenFile> {
    const own = new Map(recipeContents(part.catalog).map((one) => [one.digest, one]));
    const inputs = {
      recipe: layer,
      size,
      patch: await part.content(own.get(layer.patch.digest)!),
      encoder: await part.content(own.get(layer.encoder)!),
      sources: sources.map(({ descriptor, origin }) => ({
        descriptor,
        open: () => (origin.kind === 'present' ? origin.part.source.open(descriptor) : this.open(origin, descriptor)),
      })),
    };
    return rebuildLayer(inputs, this.#flow);
  }
}
