import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { UsedImage } from './used-images.ts';

/** How many images an error names. */
const NAMED = 5;

/**
 * Tells once of each image that objects seem to name outside of containers and volumes, and that nobody brings; of
 * those that containers run too, the person who looks for these tells. Throws `image-missing` for all places if
 * `strict`.
 */
export function requireLikely(used: readonly UsedImage[], strict: boolean, flow: Flow): void {
  const likely = used.filter(({ certainty }) => certainty === 'likely');
  const unheld = likely.filter(({ held, external }) => !held && !external);
  if (strict && unheld.length > 0) throw refusal(unheld);
  const certain = new Set(used.flatMap((one) => (one.certainty === 'certain' ? [one.reference] : [])));
  for (const [reference, [first, ...others]] of byReference(unheld.filter((one) => !certain.has(one.reference)))) {
    const places = others.length === 0 ? '' : ` and in ${others.length} more place${others.length === 1 ? '' : 's'}`;
    const message = `seems to be used by ${placeWords(first)}${places}, but is not in ${first.archive}`;
    flow.onEvent({ type: 'notice', subject: reference, message });
  }
}

type Places = [UsedImage, ...UsedImage[]];

function byReference(used: readonly UsedImage[]): Map<string, Places> {
  const found = new Map<string, Places>();
  for (const one of used) {
    const places = found.get(one.reference);
    if (places) places.push(one);
    else found.set(one.reference, [one]);
  }
  return found;
}

/**
 * Reports images that objects seem to name outside of containers and volumes, and that nodes know by another name,
 * whether that could be written there or not.
 */
export function tellRenamed(used: readonly UsedImage[], flow: Flow): void {
  const tell = (subject: string, message: string): void => flow.onEvent({ type: 'notice', subject, message });
  for (const one of used) {
    if (one.certainty !== 'likely' || one.target === undefined) continue;
    const where = `is named by ${placeWords(one)}`;
    if (one.rewritten) tell(one.reference, `${where}: nodes pull it as ${one.target}, which was written there`);
    else tell(one.reference, `${where}, as part of another text: nodes find it by that name only with --hosts-dir`);
  }
}

/** Says where an image is named. */
function placeWords({ component, object, path }: Pick<UsedImage, 'component' | 'object' | 'path'>): string {
  return `component ${component} (${object}, ${path})`;
}

function refusal(unheld: readonly UsedImage[]): SolpackError {
  const named = unheld.slice(0, NAMED).map((one) => `${one.reference} by ${placeWords(one)}`);
  const more = unheld.length > NAMED ? ` and ${unheld.length - NAMED} more` : '';
  const archives = [...new Set(unheld.map(({ archive }) => archive))].join(', ');
  const message = `images seem to be used but are not in the archive, which --strict refuses: ${named.join(', ')}${more}`;
  return new SolpackError('image-missing', archives, message, {
    hint: 'name them in the definition, as images or as external-images, and pack it again; or leave out --strict',
  });
}
