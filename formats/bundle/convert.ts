import type { KubernetesObject } from '../manifest/object.ts';
import { type CertificateProvider, certificateObjects } from './certificates.ts';
import { requireConvertible } from './check.ts';
import { isNamedAs, withoutCopies } from './copies.ts';
import type { DeploymentSettings } from './deployment-settings.ts';
import { deploymentsOf } from './deployments.ts';
import { type BundleObject, refusedBundle } from './files.ts';
import { type WatchWish, watchedNamespaces } from './install-mode.ts';
import { operatorRights, serviceAccounts } from './permissions.ts';
import type { OperatorBundle } from './read.ts';
import { supportedKinds } from './supported-kinds.ts';
import { webhookConfigurations, webhookServices, withConversion } from './webhooks.ts';

/** How a bundle is converted. */
export interface ConversionOptions extends WatchWish {
  /** Where the operator runs. */
  readonly namespace: string;
  /** Who makes the certificates of webhooks; undefined where nobody does. */
  readonly certificates: CertificateProvider | undefined;
  /** What a site sets for the Deployments. */
  readonly settings?: DeploymentSettings | undefined;
}

/**
 * Makes the objects of a registry+v1 bundle that OLM's own converter makes (operator-controller, `rukpak/render`), in
 * the same order, but each once: a service account as the bundle states it, a Service before webhooks as it is made,
 * because OLM 0 puts that in the place of the one that is there. Throws `FormatError` `operator-bundle-invalid` for a
 * bundle that has no such objects, for namespaces that it cannot watch, and for webhooks where nobody makes their
 * certificates.
 */
export function convertBundle(bundle: OperatorBundle, options: ConversionOptions): BundleObject[] {
  const { operator, source } = bundle;
  const { namespace, certificates, settings } = options;
  requireConvertible(bundle);
  const watched = watchedNamespaces(operator, namespace, options);
  if (operator.webhooks.length > 0 && certificates === undefined) {
    const names = operator.webhooks.map(({ type, generateName }) => `${type} ${generateName}`).join(', ');
    throw refusedBundle(
      `has webhooks, but nothing that makes certificates for them: set certificates = "cert-manager" if the clusters that it ` +
        `goes to have cert-manager (webhooks: ${names})`,
    );
  }
  const own = (objects: readonly KubernetesObject[]): BundleObject[] => objects.map((object) => ({ object, source }));
  const serving = [...new Set(operator.webhooks.map(({ deploymentName }) => deploymentName!))];
  const services = webhookServices(operator, namespace);
  return withoutCopies([
    ...own(serviceAccounts(operator, namespace).filter((account) => !isStated(bundle, account))),
    ...own(operatorRights(operator, namespace, watched)),
    ...bundle.definitions.map((one) => ({ ...one, object: withConversion(one.object, operator, namespace) })),
    ...bundle.others
      .filter(({ object }) => !services.some((service) => isNamedAs(service, object)))
      .map((one) => ({ ...one, object: placed(one.object, namespace) })),
    ...own(deploymentsOf(operator, { namespace, watched, certificates: certificates !== undefined, settings })),
    ...own(webhookConfigurations(operator, 'Validating', namespace, watched)),
    ...own(webhookConfigurations(operator, 'Mutating', namespace, watched)),
    ...own(services),
    ...own(serving.flatMap((deployment) => certificateObjects(deployment, namespace))),
  ]);
}

/** Whether a bundle states a service account itself, which may say more of it: many do, and one is enough. */
function isStated({ others }: OperatorBundle, account: KubernetesObject): boolean {
  return others.some(({ object }) => isNamedAs(object, account));
}

function placed(object: KubernetesObject, namespace: string): KubernetesObject {
  if (supportedKinds.get(object.kind) !== 'namespaced') return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
