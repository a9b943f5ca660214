import { definitionBreaks } from '../../../../../formats/kubernetes/definition-breaks.ts';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import type { ApplyRequest } from '../../kind.ts';
import { type ApplySession, isDefinition, type LiveObject, listAt, nameOf, textAt, wordsOf } from '../server/index.ts';

/**
 * Returns a request whose CustomResourceDefinitions narrow nothing that objects are stored for: one that lacks a
 * version in which objects are stored, or that would break what is stored, is replaced by what is there. Reports each.
 */
export async function withWideDefinitions(request: ApplyRequest, session: ApplySession): Promise<ApplyRequest> {
  const kept = new Map<KubernetesObject, KubernetesObject>();
  const all = request.solutions.flatMap(({ components }) => components.flatMap(({ objects }) => objects));
  for (const wanted of all.filter(isDefinition)) {
    const live = await session.api.read(nameOf(wanted), session.flow.signal);
    const reason = live && (await narrowing(live, wanted, session));
    if (live === undefined || reason === undefined) continue;
    kept.set(wanted, { ...wanted, spec: live['spec'] });
    const message = `is not changed, because going back would narrow it: ${reason}`;
    session.flow.onEvent({ type: 'notice', subject: wordsOf(nameOf(wanted)), message });
  }
  if (kept.size === 0) return request;
  const solutions = request.solutions.map((solution) => ({
    ...solution,
    components: solution.components.map((component) => ({
      ...component,
      objects: component.objects.map((object) => kept.get(object) ?? object),
    })),
  }));
  return { ...request, solutions };
}

/** Returns why a definition cannot take the place of the one that is there; undefined where it can. */
async function narrowing(
  live: LiveObject,
  wanted: KubernetesObject,
  { api, flow: { signal } }: ApplySession,
): Promise<string | undefined> {
  const versions = new Set(listAt(wanted, 'spec', 'versions').map((version) => textAt(version, 'name')));
  const stored = listAt(live, 'status', 'storedVersions').filter((version) => typeof version === 'string');
  const lost = stored.filter((version) => !versions.has(version));
  if (lost.length > 0) return `objects may be stored as ${lost.join(', ')}, which it lacks`;
  const [first] = definitionBreaks(live, wanted);
  if (first === undefined) return undefined;
  const resource = (await api.discover(signal)).preferred(
    textAt(live, 'spec', 'group'),
    textAt(live, 'spec', 'names', 'kind'),
  );
  const objects = resource === undefined ? [] : await api.list(resource, { metadata: true }, signal);
  if (objects.length === 0) return undefined;
  const where = [first.version, first.path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${where === '' ? '' : `${where}: `}${first.message}`;
}
