import type { KubernetesObject } from '../manifest/object.ts';
import { isRecord } from '../record.ts';
import { injection, webhookService } from './certificates.ts';
import type { BundleWebhook, ServiceVersion } from './csv.ts';
import { refusedBundle } from './files.ts';
import { ALL } from './install-mode.ts';

/** The port of a webhook whose bundle names none, as its definition has it. */
const PORT = 443;

/** Fields of a webhook that stand in its configuration as they do in the bundle. */
const kept = [
  'rules',
  'failurePolicy',
  'matchPolicy',
  'objectSelector',
  'sideEffects',
  'timeoutSeconds',
  'admissionReviewVersions',
] as const;

/** The configurations of the webhooks of one type of an operator in `namespace` that watches `watched`. */
export function webhookConfigurations(
  { webhooks }: ServiceVersion,
  type: 'Validating' | 'Mutating',
  namespace: string,
  watched: readonly string[],
): KubernetesObject[] {
  return webhooks
    .filter((one) => one.type === `${type}AdmissionWebhook`)
    .map((webhook) => {
      const name = webhook.generateName.replace(/-$/, '');
      const fields = type === 'Mutating' ? [...kept, 'reinvocationPolicy'] : kept;
      const given = fields.flatMap((field) => {
        const value = webhook[field];
        return value === undefined || value === null ? [] : [[field, value] as const];
      });
      return {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${type}WebhookConfiguration`,
        metadata: { name, annotations: injection(webhook.deploymentName!, namespace) },
        webhooks: [
          {
            name,
            ...Object.fromEntries(given),
            clientConfig: { service: serviceReference(webhook, namespace, webhook.webhookPath ?? undefined) },
            ...namespaceSelector(watched),
          },
        ],
      };
    });
}

function serviceReference(webhook: BundleWebhook, namespace: string, path: string | undefined): unknown {
  return {
    name: webhookService(webhook.deploymentName!),
    namespace,
    ...(path === undefined ? {} : { path }),
    port: webhook.containerPort || PORT,
  };
}

function namespaceSelector(watched: readonly string[]): Record<string, unknown> {
  if (watched.includes(ALL)) return {};
  const expression = { key: 'kubernetes.io/metadata.name', operator: 'In', values: watched };
  return { namespaceSelector: { matchExpressions: [expression] } };
}

/**
 * Returns a definition of kinds with the webhook that converts between its versions, if there is one. Throws
 * `FormatError` `operator-bundle-invalid` where the API server would not ask it.
 */
export function withConversion(
  object: KubernetesObject,
  { webhooks }: ServiceVersion,
  namespace: string,
): KubernetesObject {
  const { name, annotations } = object.metadata as { readonly name: string; readonly annotations?: object };
  const webhook = webhooks.find((one) => one.type === 'ConversionWebhook' && one.conversionCRDs?.includes(name));
  if (webhook === undefined) return object;
  const { spec } = object as { readonly spec?: unknown };
  if (!isRecord(spec)) throw refusedBundle(`${name} has no spec, so that no webhook can convert its objects`);
  if (spec['preserveUnknownFields'] === true) {
    throw refusedBundle(`${name} has preserveUnknownFields, so that no webhook can convert its objects`);
  }
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, ...injection(webhook.deploymentName!, namespace) } },
    spec: {
      ...spec,
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: serviceReference(webhook, namespace, webhook.webhookPath ?? '/') },
          conversionReviewVersions: webhook.admissionReviewVersions ?? [],
        },
      },
    },
  };
}

/** The Services before the Deployments that serve webhooks, in the order of these. */
export function webhookServices({ webhooks, deployments }: ServiceVersion, namespace: string): KubernetesObject[] {
  return deployments.flatMap(({ name, spec }): KubernetesObject[] => {
    const ports = new Map(
      webhooks
        .filter(({ deploymentName }) => deploymentName === name)
        .map((webhook) => {
          const port = webhook.containerPort || PORT;
          const targetPort = webhook.targetPort || port;
          return [`${port} ${targetPort}`, { name: String(port), port, targetPort }] as const;
        }),
    );
    if (ports.size === 0) return [];
    const labels = spec.selector?.matchLabels;
    const inOrder = [...ports.values()].sort(
      (a, b) => a.port - b.port || numberOf(a.targetPort) - numberOf(b.targetPort),
    );
    return [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: webhookService(name), namespace },
        spec: { ports: inOrder, ...(labels ? { selector: { ...labels } } : {}) },
      },
    ];
  });
}

/** A port by its name comes before all numbers. */
function numberOf(port: number | string): number {
  return Number(port) || 0;
}
