import { join } from 'node:path';
import { CERT_MANAGER, type CertificateProvider } from '../../../formats/bundle/certificates.ts';
import { requireConvertible } from '../../../formats/bundle/check.ts';
import { requireKubernetes } from '../../../formats/bundle/cluster.ts';
import { convertBundle } from '../../../formats/bundle/convert.ts';
import { bundleDemands } from '../../../formats/bundle/demands.ts';
import { operatorImages } from '../../../formats/bundle/images.ts';
import { type OperatorBundle, readOperatorBundle } from '../../../formats/bundle/read.ts';
import { suggestedNamespace } from '../../../formats/bundle/suggested.ts';
import { bundleUpgrade } from '../../../formats/bundle/upgrade.ts';
import { type BundleValues, bundleValues, parseBundleValues } from '../../../formats/bundle/values.ts';
import type { ClusterFacts } from '../../kernel/content/index.ts';
import { refused } from '../../kernel/events/index.ts';
import { readBundleFolder } from './bundle-folder.ts';
import { sorted } from './files.ts';
import type { Collected, ComponentKind, StatedObject, UnpackedComponent } from './kind.ts';
import { repeatedKeys } from './repeated-keys.ts';
import { requireOpenNamespace, requireUnreserved } from './reserved.ts';
import { collectValues, mergedValues } from './values-files.ts';

const hint = '"solpack docs format#bundles-of-operators" says what bundles become and what can be set';

/**
 * Kind `registry+v1`: a bundle of an operator, as the Operator Lifecycle Manager has it. It becomes the objects that
 * OLM's own converter makes of it, by the values `installMode`, `watchNamespaces`, `certificates` and
 * `deploymentConfig`.
 */
export const registryBundle: ComponentKind = {
  kind: 'registry+v1',
  values: bundleValues,

  collect: async (spec, signal): Promise<Collected> => {
    const { files, contents } = await readBundleFolder(spec.root, spec.path, undefined, signal);
    const bundle = await refused(
      'component-invalid',
      spec.path,
      () => {
        const read = readOperatorBundle(contents);
        requireConvertible(read);
        return read;
      },
      hint,
    );
    const stated = [...bundle.definitions, ...bundle.others].map(({ object }) => object);
    requireUnreserved(spec.name, stated);
    const namespace = suggestedNamespace(bundle);
    requireOpenNamespace(spec.name, namespace.name);
    const { relations, left } = bundleDemands(bundle);
    const follows = bundleUpgrade(bundle, spec.upgrade);
    const notices = [
      ...follows.left.map((words) => `has upgrade rules that no Solution can state: ${words}`),
      ...left.map((words) => `has dependencies that no Solution can provide: ${words}`),
      ...[...bundle.repeated].map(([path, keys]) => repeatedKeys(path, keys, 'OLM')),
      ...[...bundle.unknown].map(([object, fields]) => unknownWords(object, fields)),
    ];
    const values = await collectValues(spec, notices);
    const { version } = bundle.operator;
    return {
      files: sorted([...files, ...values]),
      entry: '',
      values: values.map(({ path }) => path),
      namespace,
      relations,
      ...(follows.upgrade && { upgrade: follows.upgrade }),
      ...(version === undefined ? {} : { version }),
      notices,
    };
  },

  traits: async (component) => {
    const { operator } = await read(component);
    // What makes certificates may be installed by another component.
    return { asksKinds: operator.webhooks.length > 0, looksUp: false, draws: false, defines: [] };
  },

  render: async (component, { signal }): Promise<StatedObject[]> => {
    const bundle = await read(component, signal);
    const merged = await mergedValues(component);
    return refused(
      'component-invalid',
      component.name,
      () => {
        requireKubernetes(bundle, component.cluster?.version);
        const values = parseBundleValues(merged);
        const namespace = component.namespace ?? suggestedNamespace(bundle).name;
        const certificates = values.certificates ?? provider(component.cluster);
        const settings = values.deploymentConfig;
        return withImages(bundle, convertBundle(bundle, { ...wishOf(values), namespace, certificates, settings }));
      },
      hint,
    );
  },
};

/** Most unknown fields of an object that are reported. */
const TOLD = 3;

function unknownWords(object: string, fields: readonly string[]): string {
  const more = fields.length > TOLD ? ` and ${fields.length - TOLD} more` : '';
  const named = `${fields.slice(0, TOLD).join(', ')}${more}`;
  return `${object} has fields that Kubernetes does not know, and that are dropped, as OLM does: ${named}`;
}

async function read({ name, folder, entry }: UnpackedComponent, signal?: AbortSignal): Promise<OperatorBundle> {
  const { contents } = await readBundleFolder(folder, join(folder, entry), undefined, signal);
  return refused('component-invalid', name, () => readOperatorBundle(contents), hint);
}

function wishOf({ installMode, watchNamespaces }: BundleValues): Pick<BundleValues, 'installMode' | 'watchNamespaces'> {
  return { installMode, watchNamespaces };
}

/** Who makes certificates in a cluster, as far as that is known. */
function provider(cluster: ClusterFacts | undefined): CertificateProvider | undefined {
  const isThere = cluster?.apiVersions.some((one) => one === CERT_MANAGER || one.startsWith(`${CERT_MANAGER}/`));
  return isThere ? 'cert-manager' : undefined;
}

/** Says at its first Deployment which images an operator uses: that is what starts them. */
function withImages(bundle: OperatorBundle, stated: readonly StatedObject[]): StatedObject[] {
  const images = operatorImages(bundle).map((one) => ({ ...one, certainty: 'certain' as const }));
  const at = stated.findIndex(({ object }) => object.kind === 'Deployment');
  return stated.map((one, index) => (index === Math.max(at, 0) && images.length > 0 ? { ...one, images } : one));
}
