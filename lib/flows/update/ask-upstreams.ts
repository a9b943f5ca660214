import { dirname } from 'node:path';
import { type Flow, lend, pool } from '../../kernel/events/index.ts';
import { isElsewhere, openSourceStore } from '../../parts/sources/index.ts';
import type { Earlier } from './earlier.ts';
import { newerComponent } from './newer-component.ts';
import { newerImage } from './newer-image.ts';
import { type EarlierUse, type NewerInput, type NewerInputs, placeOfComponent } from './newer-input.ts';
import type { UpdateRequest } from './request.ts';

/**
 * Asks the upstreams of the components and images that have `names` for newer versions; `use` is undefined where nobody
 * knows what objects name. Throws what registries and servers answer.
 */
export async function askUpstreams(
  earlier: Earlier,
  { names, use }: { readonly names: ReadonlySet<string>; readonly use: EarlierUse | undefined },
  request: UpdateRequest,
  flow: Flow,
): Promise<NewerInputs> {
  const { read, raw } = earlier;
  const { definition, before: lock } = read;
  const bounds = { latest: request.latest === true, preReleases: request.preReleases === true };
  const fetched = new Set(definition.components.filter(({ path }) => isElsewhere(path)).map(({ name }) => name));
  const components = new Map<string, NewerInput>();
  const images = new Map<string, NewerInput>();
  await lend(openSourceStore(dirname(request.definition), false, flow.host), async (store) => {
    await pool(definition.components, { signal: flow.signal }, async (component, signal) => {
      if (!names.has(component.name)) return;
      flow.onEvent({ type: 'step', step: 'look up', subject: component.name });
      const at = { place: placeOfComponent(raw, component.name), home: dirname(request.definition), lock, bounds };
      const context = { connections: request.sources, store, flow: { ...flow, signal } };
      components.set(component.name, await newerComponent(component, at, context));
    });
    await pool([...definition.images.entries()], { signal: flow.signal }, async ([number, image], signal) => {
      if (!names.has(image.reference)) return;
      flow.onEvent({ type: 'step', step: 'look up', subject: image.reference });
      const namedBy = use?.namedBy(image);
      const at = { number, raw, bounds, namedBy, isFetched: (name: string) => fetched.has(name) };
      images.set(image.reference, await newerImage(image, at, { sources: request.sources, signal }));
    });
  });
  return { components, images, unused: use?.unused ?? [] };
}
