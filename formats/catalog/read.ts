import { utf8 } from '../bytes.ts';
import { FormatError } from '../error.ts';
import { countParts } from '../json.ts';
import { checkedYaml } from '../manifest/checked-yaml.ts';
import { parseYaml } from '../manifest/yaml.ts';
import { isRecord } from '../record.ts';
import { z } from '../schema.ts';
import { sizeWords } from '../size-words.ts';
import { type CatalogDocument, catalogLimits } from './documents.ts';

/** How an entry of a channel comes after others. Names are those of bundles. */
export interface ChannelEntry {
  readonly name: string;
  readonly replaces?: string | undefined;
  readonly skips?: readonly string[] | undefined;
  readonly skipRange?: string | undefined;
}

/** A channel of a package. */
export interface CatalogChannel {
  readonly name: string;
  readonly entries: readonly ChannelEntry[];
}

/** A bundle of a package: one version of an operator. */
export interface CatalogBundle {
  readonly name: string;
  /** The reference of its image; '' where the catalog has its objects instead. */
  readonly image: string;
  readonly version: string;
}

/** A part of a package whose use its publisher advises against. */
export interface CatalogDeprecation {
  readonly schema: string;
  /** Of the channel or the bundle; undefined for the package. */
  readonly name?: string | undefined;
  readonly message: string;
}

/** What a catalog says of one package. */
export interface CatalogPackage {
  readonly name: string;
  readonly defaultChannel: string | undefined;
  readonly channels: ReadonlyMap<string, CatalogChannel>;
  readonly bundles: ReadonlyMap<string, CatalogBundle>;
  readonly deprecations: readonly CatalogDeprecation[];
}

const name = z.string().min(1);
const optional = z.string().nullish();

const packageSchema = z.looseObject({ name, defaultChannel: optional });
const channelSchema = z.looseObject({
  name,
  package: name,
  entries: z
    .array(z.looseObject({ name, replaces: optional, skips: z.array(z.string()).nullish(), skipRange: optional }))
    .nullish(),
});
const bundleSchema = z.looseObject({
  name,
  package: name,
  image: optional,
  properties: z.array(z.looseObject({ type: z.string(), value: z.unknown() })).nullish(),
});
const versionSchema = z.looseObject({ version: name, release: optional });
const deprecationsSchema = z.looseObject({
  package: name,
  entries: z
    .array(z.looseObject({ reference: z.looseObject({ schema: name, name: optional }), message: z.string() }))
    .nullish(),
});

/** What of a document tells that it is one about a package itself. */
const ofPackage = /["']?schema["']?\s*:\s*["']?olm\.package\b/;

/**
 * Gathers what a file-based catalog says of one package, document by document (OLM, "File-based Catalogs"). Documents
 * that do not name it are passed over unparsed: catalogs have hundreds of packages. Other schemas than `olm.package`,
 * `olm.channel`, `olm.bundle` and `olm.deprecations` are passed over, as OLM does.
 */
export class CatalogReader {
  readonly #wanted: string | undefined;
  readonly #packages = new Map<string, CatalogPackage>();
  readonly #channels: (CatalogChannel & { readonly package: string })[] = [];
  readonly #bundles: (CatalogBundle & { readonly package: string })[] = [];
  readonly #deprecations: (CatalogDeprecation & { readonly package: string })[] = [];
  #keptSize = 0;

  /** Reads about the package `wanted`; if it is undefined, about all. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  /** Takes a document of the file `path`. Throws `FormatError` `catalog-invalid`. */
  add(document: CatalogDocument, path: string): void {
    const { text } = document;
    if (this.#wanted !== undefined && !text.includes(this.#wanted) && !ofPackage.test(text)) return;
    for (const value of valuesOf(document, path)) this.#take(value, path, document);
  }

  /** The names of all packages, in the order of the catalog. */
  get names(): string[] {
    return [...this.#packages.keys()];
  }

  /**
   * Returns what is said of a package; undefined where there is none of that name. Throws `FormatError`
   * `catalog-invalid` where two documents say it differently.
   */
  package(of: string): CatalogPackage | undefined {
    const found = this.#packages.get(of);
    if (!found) return undefined;
    const mine = <T extends { readonly package: string }>(all: readonly T[]): T[] =>
      all.filter((one) => one.package === of);
    return {
      ...found,
      channels: byName(mine(this.#channels), `olm.channel of the package ${of}`),
      bundles: byName(mine(this.#bundles), `olm.bundle of the package ${of}`),
      deprecations: mine(this.#deprecations),
    };
  }

  #take(value: unknown, path: string, document: CatalogDocument): void {
    if (!isRecord(value) || typeof value['schema'] !== 'string' || value['schema'] === '') {
      throw invalid(`${path}:${document.line}: a document without a schema, which no file of a catalog may have`);
    }
    const checked = <T>(schema: z.ZodType<T>): T => checkedValue(value, schema, path, document);
    const owner = value['schema'] === 'olm.package' ? undefined : value['package'];
    if (this.#wanted !== undefined && owner !== undefined && owner !== this.#wanted) return;
    if (value['schema'] === 'olm.package') this.#addPackage(checked(packageSchema));
    else if (value['schema'] === 'olm.channel') {
      const { name, package: of, entries } = checked(channelSchema);
      const listed = (entries ?? []).map((entry) => ({
        name: entry.name,
        replaces: entry.replaces || undefined,
        skips: entry.skips ?? [],
        skipRange: entry.skipRange || undefined,
      }));
      this.#channels.push(this.#copied({ name, package: of, entries: listed }));
    } else if (value['schema'] === 'olm.bundle') {
      const { name, package: of, image, properties } = checked(bundleSchema);
      const version = versionOf(properties ?? []);
      if (version === undefined) {
        throw invalid(`${path}:${document.line}: the bundle ${name} has no property olm.package with a version`);
      }
      this.#bundles.push(this.#copied({ name, package: of, image: image ?? '', version }));
    } else if (value['schema'] === 'olm.deprecations') {
      const { package: of, entries } = checked(deprecationsSchema);
      for (const { reference, message } of entries ?? []) {
        const { schema, name } = reference;
        this.#deprecations.push(this.#copied({ package: of, schema, name: name || undefined, message }));
      }
    }
  }

  /** Copies what is kept: a string that was cut out of a document would keep all of it in memory. */
  #copied<T>(value: T): T {
    const json = JSON.stringify(value);
    this.#keptSize += json.length;
    if (this.#keptSize > catalogLimits.kept) {
      throw invalid(`names, edges and deprecations of more than ${sizeWords(catalogLimits.kept)}`);
    }
    return JSON.parse(json) as T;
  }

  #addPackage(said: z.infer<typeof packageSchema>): void {
    const { name, defaultChannel } = this.#copied({ name: said.name, defaultChannel: said.defaultChannel });
    if (this.#packages.has(name)) throw invalid(`the package ${name} is there twice`);
    const [channels, bundles] = [new Map<string, CatalogChannel>(), new Map<string, CatalogBundle>()];
    this.#packages.set(name, {
      name,
      defaultChannel: defaultChannel || undefined,
      channels,
      bundles,
      deprecations: [],
    });
  }
}

/** A release of the same version is written as what follows a `+`, by which versions are ordered as well. */
function versionOf(properties: readonly { readonly type: string; readonly value: unknown }[]): string | undefined {
  const found = properties.filter(({ type }) => type === 'olm.package').map(({ value }) => value);
  const parsed = found.length === 1 ? versionSchema.safeParse(found[0]) : undefined;
  if (!parsed?.success) return undefined;
  const { version, release } = parsed.data;
  return release ? `${version}+${release}` : version;
}

function byName<T extends { readonly name: string }>(all: readonly T[], what: string): Map<string, T> {
  const named = new Map<string, T>();
  for (const one of all) {
    if (named.has(one.name)) throw invalid(`${one.name} is there twice as ${what}`);
    named.set(one.name, one);
  }
  return named;
}

function valuesOf(document: CatalogDocument, path: string): unknown[] {
  const { text, isJson } = document;
  if (isJson) {
    try {
      countParts(utf8(text), catalogLimits.values);
    } catch (error) {
      throw invalid(`${placeOf(path, document)}: ${(error as Error).message}`);
    }
    try {
      return [JSON.parse(text)];
    } catch {
      // The reader of YAML says where it is wrong.
    }
  }
  const found = parseYaml(text, placeOf(path, document), 'catalog-invalid').map(({ value }) => value);
  if (!isJson || found.every(isRecord)) return found;
  throw invalid(`${placeOf(path, document)}: not a JSON object`);
}

/** Checks a value; only if it is wrong, it is read again to say where. */
function checkedValue<T>(value: unknown, schema: z.ZodType<T>, path: string, document: CatalogDocument): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { text } = document;
  const [first] = parseYaml(text, placeOf(path, document), 'catalog-invalid');
  return checkedYaml({ text, document: first!, name: placeOf(path, document) }, schema, 'catalog-invalid');
}

/** How errors call a document, whose lines they count from its beginning. */
function placeOf(path: string, { line }: CatalogDocument): string {
  return line === 1 ? path : `${path}, in the document that begins at line ${line}`;
}

function invalid(message: string): FormatError {
  return new FormatError('catalog-invalid', message);
}
