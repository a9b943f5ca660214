import type { KubernetesObject } from '../manifest/object.ts';
import { isRecord } from '../record.ts';
import { z } from '../schema.ts';

const texts = z.array(z.string());
const fields = z.record(z.string(), z.unknown());

/** Labels and annotations. Go reads null as what is empty. */
const namedTexts = z
  .custom<Record<string, string | null>>(
    (value) => isRecord(value) && Object.values(value).every((one) => one === null || typeof one === 'string'),
    'has to be a mapping whose values are texts',
  )
  .transform(
    (value): Record<string, string> =>
      Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one ?? ''])),
  );

const rule = z.looseObject({
  verbs: texts.nullish(),
  apiGroups: texts.nullish(),
  resources: texts.nullish(),
  resourceNames: texts.nullish(),
  nonResourceURLs: texts.nullish(),
});

const permission = z.looseObject({
  serviceAccountName: z.string().nullish(),
  rules: z.array(rule).nullish(),
});

const deployment = z.looseObject({
  name: z.string(),
  label: namedTexts.nullish(),
  spec: z.looseObject({
    selector: z.looseObject({ matchLabels: namedTexts.nullish() }).nullish(),
    template: z.looseObject({
      metadata: z.looseObject({ annotations: namedTexts.nullish() }).nullish(),
      spec: fields,
    }),
  }),
});

/** A port; 0 stands for one that is not named. */
const port = z.number().int().min(0).max(65535);

const webhook = z.looseObject({
  generateName: z.string(),
  type: z.enum(['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook', 'ConversionWebhook']),
  deploymentName: z.string().nullish(),
  containerPort: port.nullish(),
  targetPort: z.union([port, z.string()]).nullish(),
  rules: z.array(z.looseObject({ apiGroups: texts.nullish(), resources: texts.nullish() })).nullish(),
  webhookPath: z.string().nullish(),
  conversionCRDs: texts.nullish(),
  admissionReviewVersions: texts.nullish(),
});

const definition = z.looseObject({ name: z.string(), version: z.string().nullish(), kind: z.string().nullish() });
const apiService = z.looseObject({
  group: z.string().nullish(),
  version: z.string().nullish(),
  kind: z.string().nullish(),
});

const owned = <T extends z.ZodType>(one: T) =>
  z.looseObject({ owned: z.array(one).nullish(), required: z.array(one).nullish() }).nullish();

/**
 * Says what a ClusterServiceVersion may hold, as far as it decides what its bundle becomes
 * (operators.coreos.com/v1alpha1).
 */
export const serviceVersionSchema = z.looseObject({
  metadata: z.looseObject({ name: z.string(), annotations: namedTexts.nullish() }),
  spec: z.looseObject({
    version: z.string().nullish(),
    minKubeVersion: z.string().nullish(),
    replaces: z.string().nullish(),
    skips: texts.nullish(),
    install: z.looseObject({
      strategy: z.string().nullish(),
      spec: z
        .looseObject({
          deployments: z.array(deployment).nullish(),
          permissions: z.array(permission).nullish(),
          clusterPermissions: z.array(permission).nullish(),
        })
        .nullish(),
    }),
    installModes: z
      .array(
        z.looseObject({
          type: z.enum(['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces']),
          supported: z.boolean(),
        }),
      )
      .nullish(),
    customresourcedefinitions: owned(definition),
    apiservicedefinitions: owned(apiService),
    webhookdefinitions: z.array(webhook).nullish(),
    relatedImages: z.array(z.looseObject({ name: z.string().nullish(), image: z.string() })).nullish(),
  }),
});

type Fields = z.infer<typeof serviceVersionSchema>;

/** How an operator may watch namespaces. */
export type InstallMode = NonNullable<Fields['spec']['installModes']>[number]['type'];

/** The rights of a service account, as a bundle asks for them. */
export type BundlePermission = z.infer<typeof permission>;

/** A Deployment of a bundle. */
export type BundleDeployment = z.infer<typeof deployment>;

/** A webhook of a bundle. */
export type BundleWebhook = z.infer<typeof webhook>;

/** What a bundle says of an operator: a ClusterServiceVersion, each list of it there. */
export interface ServiceVersion {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly version: string | undefined;
  readonly minKubeVersion: string | undefined;
  /** The name of the ClusterServiceVersion that it comes after. */
  readonly replaces: string | undefined;
  /** Names of ClusterServiceVersions that it may come after as well. */
  readonly skips: readonly string[];
  readonly deployments: readonly BundleDeployment[];
  readonly permissions: readonly BundlePermission[];
  readonly clusterPermissions: readonly BundlePermission[];
  /** Those that it supports. */
  readonly installModes: readonly InstallMode[];
  readonly owned: readonly z.infer<typeof definition>[];
  readonly required: readonly z.infer<typeof definition>[];
  readonly ownedServices: readonly z.infer<typeof apiService>[];
  readonly requiredServices: readonly z.infer<typeof apiService>[];
  readonly webhooks: readonly BundleWebhook[];
  readonly relatedImages: readonly string[];
}

/** Takes from a ClusterServiceVersion what its bundle is converted by. */
export function serviceVersionOf({ metadata, spec }: Fields): ServiceVersion {
  const strategy = spec.install.spec ?? {};
  return {
    name: metadata.name,
    annotations: metadata.annotations ?? {},
    version: spec.version ?? undefined,
    minKubeVersion: spec.minKubeVersion ?? undefined,
    replaces: spec.replaces ?? undefined,
    skips: spec.skips ?? [],
    deployments: strategy.deployments ?? [],
    permissions: strategy.permissions ?? [],
    clusterPermissions: strategy.clusterPermissions ?? [],
    installModes: [...new Set((spec.installModes ?? []).filter(({ supported }) => supported).map(({ type }) => type))],
    owned: spec.customresourcedefinitions?.owned ?? [],
    required: spec.customresourcedefinitions?.required ?? [],
    ownedServices: spec.apiservicedefinitions?.owned ?? [],
    requiredServices: spec.apiservicedefinitions?.required ?? [],
    webhooks: spec.webhookdefinitions ?? [],
    relatedImages: [...new Set((spec.relatedImages ?? []).map(({ image }) => image))],
  };
}

/** Whether an object is what a bundle says of its operator; OLM takes any version of it. */
export function isServiceVersion({ kind }: KubernetesObject): boolean {
  return kind === 'ClusterServiceVersion';
}
