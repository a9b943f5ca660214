import { refusedBundle } from './files.ts';
import type { OperatorBundle } from './read.ts';
import { supportedKinds } from './supported-kinds.ts';
import { webhookProblems } from './webhook-problems.ts';

/** A name that most objects may have (RFC 1123, as the Kubernetes API has it). */
const subdomain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/**
 * Makes sure that a bundle can be converted, by the rules of OLM. Throws `FormatError` `operator-bundle-invalid` with
 * all that is against it.
 */
export function requireConvertible(bundle: OperatorBundle): void {
  const problems = [
    ...nameProblems(bundle),
    ...definitionProblems(bundle),
    ...webhookProblems(bundle.operator, isSubdomain),
    ...serviceProblems(bundle),
    ...kindProblems(bundle),
  ];
  if (problems.length > 0) throw refusedBundle(problems.join('; '));
}

function isSubdomain(name: string): boolean {
  return subdomain.test(name);
}

/** Lists what stands more than once. */
function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) < at))].sort();
}

function nameProblems({ operator }: OperatorBundle): string[] {
  const names = operator.deployments.map(({ name }) => name);
  return [
    ...repeated(names).map((name) => `has two Deployments named ${name}`),
    ...names
      .filter((name) => !isSubdomain(name))
      .map((name) => `has a Deployment named "${name}", which is not a valid name in Kubernetes`),
  ];
}

function definitionProblems({ operator, definitions }: OperatorBundle): string[] {
  const names = definitions.map(({ object }) => object.metadata.name);
  const absent = operator.owned.map(({ name }) => name).filter((name) => !names.includes(name));
  return [
    ...definitions
      .filter(({ object }) => object.apiVersion !== 'apiextensions.k8s.io/v1')
      .map(({ object }) => `has ${object.metadata.name} as ${object.apiVersion}, which Kubernetes no longer serves`),
    ...repeated(names).map((name) => `has two CustomResourceDefinitions named ${name}`),
    ...[...new Set(absent)].map((name) => `owns ${name}, but has no CustomResourceDefinition of that name`),
  ];
}

function serviceProblems({ operator }: OperatorBundle): string[] {
  const names = operator.ownedServices.map(({ version, group }) => `${version}.${group}`);
  return names.length === 0 ? [] : [`owns APIServices, which are not supported: ${names.join(', ')}`];
}

function kindProblems({ others }: OperatorBundle): string[] {
  return others
    .filter(({ object }) => !supportedKinds.has(object.kind))
    .map(
      ({ object, source }) =>
        `${source} states a ${object.kind} named ${object.metadata.name}, a kind that no registry+v1 bundle may hold`,
    );
}
