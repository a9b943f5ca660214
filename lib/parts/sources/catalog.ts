import { type ChosenBundle, channelVersions, chooseBundle } from '../../../formats/catalog/choose.ts';
import { catalogDocuments, DocumentCount } from '../../../formats/catalog/documents.ts';
import { type CatalogPackage, CatalogReader } from '../../../formats/catalog/read.ts';
import { nearest } from '../../../formats/document/suggest.ts';
import { parseReference } from '../../../formats/oci/reference.ts';
import { lend, refused, SolpackError } from '../../kernel/events/index.ts';
import { collectGarbage } from '../../kernel/machine/index.ts';
import { type CatalogAddress, parseCatalogAddress } from './catalog-address.ts';
import { catalogFiles, type OperatorCatalogFile } from './catalog-files.ts';
import { catalogFolder } from './catalog-image.ts';
import { absentSource, requestWords } from './failures.ts';
import type { ResolvedSource, SourceContext, SourceKind, SourceRequest } from './kind.ts';
import { namedFrom, namerAt } from './named-by.ts';
import { registryArtifact } from './registry-artifact.ts';
import { bytesOf } from './store.ts';

/** Characters of documents after which garbage is worth collecting: V8 lets that of several large ones pile up. */
const MUCH = 4 * 1024 * 1024;

const hint = 'check it with "opm validate", and inform the publisher';

/**
 * A bundle of an operator by a file-based catalog (OLM, "File-based Catalogs"): `catalog://REFERENCE//PACKAGE` for one
 * in an image, `catalog:FOLDER//PACKAGE` for a folder of this machine. Once it is resolved, the catalog is not needed.
 */
export const catalog: SourceKind = {
  takes: ({ address }) => address.startsWith('catalog:'),

  resolve: async (request, context): Promise<ResolvedSource> => {
    const address = await refused('component-invalid', request.address, () => parseCatalogAddress(request.address));
    const bundle = await chosen(request, address, context);
    const { name, version, channel, isHead, image, upgrade, notices } = bundle;
    if (image === '') {
      const why = `the bundle ${name} has no image: its objects are in the catalog`;
      throw new SolpackError('component-invalid', requestWords(request), why, { hint: 'name another version' });
    }
    const tell = (message: string): void =>
      context.flow.onEvent({ type: 'notice', subject: requestWords(request), message });
    tell(`is ${name}, ${isHead ? 'the head' : 'an entry'} of the channel ${channel}`);
    for (const notice of notices) tell(notice);
    const url = `docker://${image}`;
    const { digest } = await registryArtifact.resolve(inRegistry(request, url, address), context);
    return { version, url, digest, upgrade };
  },

  bring: async (request, resolved, context) => {
    const address = await refused('component-invalid', request.address, () => parseCatalogAddress(request.address));
    return registryArtifact.bring(inRegistry(request, resolved.url!, address), resolved, context);
  },

  versions: async (request, context) => {
    const address = await refused('component-invalid', request.address, () => parseCatalogAddress(request.address));
    return channelVersions(await readPackage(request, address, context), request.channel);
  },
};

/** What is asked of the registry that a catalog leads to. */
function inRegistry(request: SourceRequest, url: string, { image }: CatalogAddress): SourceRequest {
  const sentBy = image === undefined ? undefined : namedFrom(url, namerAt(`docker://${image}`));
  return { address: url, version: undefined, content: request.content, sentBy };
}

async function readPackage(
  request: SourceRequest,
  address: CatalogAddress,
  context: SourceContext,
): Promise<CatalogPackage> {
  const files = await filesOf(request, address, context);
  const read = (): Promise<CatalogPackage> => packageOf(request, address, files, context);
  return refused('component-invalid', requestWords(request), read, hint);
}

async function chosen(request: SourceRequest, address: CatalogAddress, context: SourceContext): Promise<ChosenBundle> {
  const found = await readPackage(request, address, context);
  const subject = requestWords(request);
  const wanted = { channel: request.channel, range: request.version };
  const bundle = await refused('component-invalid', subject, () => chooseBundle(found, wanted), hint);
  if ('absent' in bundle) throw absentSource(request, bundle.absent, 'change the version or the channel');
  return bundle;
}

async function filesOf(
  request: SourceRequest,
  { image }: CatalogAddress,
  context: SourceContext,
): Promise<readonly OperatorCatalogFile[]> {
  const { signal } = context.flow;
  if (image === undefined) return catalogFiles(request.place!.path, request.place!.root, signal);
  const reference = await refused('component-invalid', request.address, () => parseReference(image));
  const source = await context.connections.connect(reference, request.sentBy);
  const found = await lend({ source, [Symbol.asyncDispose]: () => source.close() }, () =>
    catalogFolder(request, reference, source, context),
  );
  return catalogFiles(found.path, found.root, signal);
}

/** Reads what the files say of the package that is asked for, or of the only one. */
async function packageOf(
  request: SourceRequest,
  { packageName }: CatalogAddress,
  files: readonly OperatorCatalogFile[],
  { flow }: SourceContext,
): Promise<CatalogPackage> {
  const reader = new CatalogReader(packageName);
  const count = new DocumentCount();
  let since = 0;
  for (const { path, file } of files) {
    flow.signal.throwIfAborted();
    for await (const document of catalogDocuments(bytesOf(file), count)) {
      flow.signal.throwIfAborted();
      since += document.text.length;
      if (since >= MUCH) {
        since = 0;
        collectGarbage();
      }
      reader.add(document, path);
    }
  }
  const { names } = reader;
  const [only, ...others] = names;
  if (packageName === undefined && others.length > 0) {
    throw absentSource(request, `has ${names.length} packages`, `append one to the address: //${only}`);
  }
  const name = packageName ?? only;
  const found = name === undefined ? undefined : reader.package(name);
  if (found) return found;
  const near = nearest(packageName ?? '', names);
  const why = name === undefined ? 'has no packages' : `has no package ${name}`;
  throw absentSource(request, why, near === undefined ? 'check the address' : `did you mean ${near}?`);
}
