import { checkCustom } from './custom.ts';
import { checkMetadata } from './metadata.ts';
import { nearestMinor } from './minors.ts';
import { type CheckedObject, entriesOf, fieldOf, isFields, type ReportProblem, type ShapeProblem } from './problems.ts';
import { checkRules } from './rules/index.ts';
import { isKubernetesGroup, notServed } from './served.ts';
import { typeOfKind } from './types.ts';
import { checkType } from './walk.ts';

/** Limits how many problems are reported one object. */
const MOST = 50;

/**
 * Makes a check of what an API server of a minor version of Kubernetes 1 refuses by its shape when it is applied: kinds
 * that it does not serve, unknown and missing fields, wrong types, names, and rules that every API server enforces.
 * Custom resources are checked against `definitions`, the CustomResourceDefinitions available; those of others are
 * taken as they are. What is in doubt is taken. Minors that are not known are taken for the nearest that is.
 */
export function shapeCheck(
  minor: number,
  definitions: readonly CheckedObject[] = [],
): (object: CheckedObject) => ShapeProblem[] {
  const custom = new Map(definitions.flatMap(versionsOf));
  return (object) => {
    const problems: ShapeProblem[] = [];
    const report: ReportProblem = (path, message) => {
      if (problems.length < MOST) problems.push({ path, message });
    };
    const own = custom.get(groupKind(object.apiVersion, object.kind));
    if (own && !isKubernetesGroup(groupOf(object.apiVersion))) checkOwn(object, own, report);
    else checkBuiltIn(object, minor, report);
    return problems;
  };
}

function checkBuiltIn(object: CheckedObject, minor: number, report: ReportProblem): void {
  const refused = notServed(minor, object.apiVersion, object.kind);
  if (refused !== undefined) report(['apiVersion'], refused);
  if (refused !== undefined || !isKubernetesGroup(groupOf(object.apiVersion))) return;
  checkMetadata(object.kind, object.metadata, false, report);
  const type = typeOfKind(object.apiVersion, object.kind);
  if (type) checkType(type, object, [], nearestMinor(minor), report);
  checkRules(object, report);
}

/** A kind that a definition defines: the schemas of the versions that it serves. */
type OwnKind = ReadonlyMap<string, unknown>;

function checkOwn(object: CheckedObject, versions: OwnKind, report: ReportProblem): void {
  const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
  if (!versions.has(version)) {
    const served = [...versions.keys()].join(', ');
    report(['apiVersion'], `its CustomResourceDefinition does not serve ${version}, but ${served || 'nothing'}`);
    return;
  }
  checkMetadata(object.kind, object.metadata, true, report);
  const schema = versions.get(version);
  if (isFields(schema)) checkCustom(schema, object, [], report, true);
}

function versionsOf(definition: CheckedObject): [string, OwnKind][] {
  const spec = fieldOf(definition, 'spec');
  const [group, kind] = [fieldOf(spec, 'group'), fieldOf(fieldOf(spec, 'names'), 'kind')];
  if (definition.kind !== 'CustomResourceDefinition' || typeof group !== 'string' || typeof kind !== 'string')
    return [];
  const isOpen = fieldOf(spec, 'preserveUnknownFields') === true;
  const served = entriesOf(fieldOf(spec, 'versions')).flatMap((version): [string, unknown][] => {
    const name = fieldOf(version, 'name');
    if (typeof name !== 'string' || fieldOf(version, 'served') !== true) return [];
    return [[name, isOpen ? undefined : fieldOf(fieldOf(version, 'schema'), 'openAPIV3Schema')]];
  });
  return [[groupKind(`${group}/v1`, kind), new Map(served)]];
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

function groupKind(apiVersion: string, kind: string): string {
  return `${groupOf(apiVersion)}/${kind}`;
}
