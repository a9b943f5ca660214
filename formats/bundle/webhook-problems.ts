import type { BundleWebhook, ServiceVersion } from './csv.ts';

/** Groups that no rule of a webhook may name: it could keep its own operator from being removed. */
const forbiddenGroups: readonly string[] = ['olm.operatorframework.io', '*'];

/** Resources of admissionregistration.k8s.io that no rule of a webhook may name. */
const forbiddenResources: readonly string[] = [
  '*',
  'mutatingwebhookconfiguration',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfiguration',
  'validatingwebhookconfigurations',
];

/** Returns what is wrong with the webhooks of a bundle, by the rules of OLM. */
export function webhookProblems(operator: ServiceVersion, isName: (name: string) => boolean): string[] {
  const { webhooks, deployments } = operator;
  const known = deployments.map(({ name }) => name);
  return [
    ...webhooks.flatMap((webhook, at) => [
      ...(webhooks.findIndex((one) => sameName(one, webhook)) < at ? [`has two webhooks: ${words(webhook)}`] : []),
      ...(known.includes(webhook.deploymentName ?? '')
        ? []
        : [`${words(webhook)} is served by the Deployment "${webhook.deploymentName ?? ''}", which it does not have`]),
      ...(isName(webhook.generateName) ? [] : [`${words(webhook)} has no name of Kubernetes`]),
      ...ruleProblems(webhook),
    ]),
    ...conversionProblems(operator),
  ];
}

function sameName(one: BundleWebhook, other: BundleWebhook): boolean {
  return one.type === other.type && one.generateName === other.generateName;
}

function words({ type, generateName }: BundleWebhook): string {
  return `the ${type} ${generateName}`;
}

function ruleProblems(webhook: BundleWebhook): string[] {
  if (webhook.type === 'ConversionWebhook') return [];
  return (webhook.rules ?? []).flatMap(({ apiGroups, resources }) =>
    (apiGroups ?? []).flatMap((group) => [
      ...(forbiddenGroups.includes(group)
        ? [`${words(webhook)} may not have a rule for the API group "${group}"`]
        : []),
      ...(group === 'admissionregistration.k8s.io' ? (resources ?? []) : [])
        .filter((resource) => forbiddenResources.includes(resource.toLowerCase()))
        .map((resource) => `${words(webhook)} may not have a rule for ${resource} of ${group}`),
    ]),
  );
}

function conversionProblems({ webhooks, installModes, owned }: ServiceVersion): string[] {
  const conversions = webhooks.filter(({ type }) => type === 'ConversionWebhook');
  const everywhere = installModes.length === 1 && installModes[0] === 'AllNamespaces';
  const names = owned.map(({ name }) => name);
  const converted = conversions.flatMap(({ conversionCRDs }) => conversionCRDs ?? []);
  const twice = new Set(converted.filter((name, at) => converted.indexOf(name) < at));
  return [
    ...conversions.flatMap((webhook) => [
      ...(everywhere
        ? []
        : [`${words(webhook)} needs AllNamespaces as the only install mode, but there are ${installModes.join(', ')}`]),
      ...(webhook.conversionCRDs ?? [])
        .filter((name) => !names.includes(name))
        .map((name) => `${words(webhook)} is for ${name}, which it does not own`),
    ]),
    ...[...twice].map((name) => `several webhooks convert ${name}`),
  ];
}
